import { Client, DatabaseError, type PoolConfig } from 'pg';

/** SQLSTATE of a rejected startup packet, for example because of an unsupported parameter. */
export const PROTOCOL_VIOLATION = '08P01';

/** Messages for operators by error code of Node.js or PostgreSQL (appendix A). */
const REASONS: Readonly<Record<string, (target: Client) => string>> = {
  ECONNREFUSED: () => 'connection refused',
  ECONNRESET: () => 'connection reset',
  EHOSTUNREACH: () => 'host unreachable',
  ENETUNREACH: () => 'network unreachable',
  ENOENT: () => 'the socket does not exist',
  ETIMEDOUT: () => 'connection timed out',
  ENOTFOUND: ({ host }) => `host "${host}" not found`,
  EAI_AGAIN: ({ host }) => `host "${host}" cannot be resolved at the moment`,
  '28P01': ({ user }) => `password authentication failed for user "${user}"`,
  '3D000': ({ database }) => `database "${database}" does not exist`,
  '53300': () => 'too many connections',
  '57P03': () => 'the server is starting up, shutting down or in recovery',
};

/**
 * The database is unavailable. The message is one line for operators: host, port, database and reason, without the
 * password and other parts of the URL.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** SQLSTATE, or the code of a network error of Node.js. */
  readonly code: string | undefined;

  /** @param timedOut the reason, if it is a timeout */
  constructor(config: PoolConfig, cause: unknown, timedOut?: string) {
    const code = codeOf(cause);
    const target = new Client(config); // only parses the URL
    super(`${databaseLabel(target)}: ${timedOut ?? reasonOf(cause, code, target)}`, { cause });
    this.code = code;
  }
}

/** Host, port and database for messages, without the password. */
export function databaseLabel({ host, port, database }: Client): string {
  return `PostgreSQL at ${host.includes(':') ? `[${host}]` : host}:${port}, database "${database}"`;
}

function reasonOf(cause: unknown, code: string | undefined, target: Client): string {
  const reason = code === undefined ? undefined : REASONS[code]?.(target);
  if (reason !== undefined) return reason;
  const text = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
  return cause instanceof DatabaseError ? `${text} (${code})` : text;
}

function codeOf(cause: unknown): string | undefined {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
