import { Client, DatabaseError } from 'pg';
import { parsePostgresUrl, SSL_FILES } from './postgres-url.js';
import type { PoolSettings } from './pool.js';

/** SQLSTATE of a startup packet that was rejected, for example because of an unsupported parameter. */
export const PROTOCOL_VIOLATION = '08P01';

/** Parts of error messages about a host. */
interface Target {
  host: string;
  port: number;
  user: string | undefined;
  database: string | undefined;
  /** Parameter for TLS or a client certificate that is missing in the URL. */
  missing: string | undefined;
  /** Parameters of {@link SSL_FILES} by path. */
  files: ReadonlyMap<string, string>;
}

const UNKNOWN_CA = () =>
  'the CA of its certificate is unknown (set sslrootcert in the URL to the path of the CA file)';
const BAD_CLIENT_CERTIFICATE = () => 'it rejected the client certificate of sslcert';

/** Messages for operators by the error code of Node.js, OpenSSL or PostgreSQL (appendix A). */
const REASONS: Readonly<Record<string, (target: Target) => string>> = {
  ECONNREFUSED: () => 'connection refused',
  ECONNRESET: () => 'connection reset',
  EPIPE: () => 'connection closed',
  EHOSTUNREACH: () => 'host unreachable',
  ENETUNREACH: () => 'network unreachable',
  ENOENT: () => 'the socket does not exist',
  ETIMEDOUT: () => 'connection timed out',
  ENOTFOUND: ({ host }) => `host "${host}" not found`,
  EAI_AGAIN: ({ host }) => `host "${host}" cannot be resolved at the moment`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  CERT_HAS_EXPIRED: () => 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `its certificate is not for host "${host}" (use a host of the certificate, or sslmode=verify-ca)`,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: BAD_CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: BAD_CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: () => 'the client certificate of sslcert has expired',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: () => 'sslkey does not match sslcert',
  '28P01': ({ user }) => `password authentication failed for user "${user}"`,
  '3D000': ({ database }) => `database "${database}" does not exist`,
  '53300': () => 'too many connections',
  '57P03': () => 'the server is starting up, shutting down or in recovery',
};

/** SQLSTATE and function of PostgreSQL: `pg_hba.conf` does not allow such a connection. */
const NOT_ALLOWED = { code: '28000', routine: 'ClientAuthentication' };

/**
 * The database is unavailable. The message is one line for operators. It contains hosts, ports, database and reason, but neither the
 * password nor other parts of the URL.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** SQLSTATE, or the code of an error of Node.js. */
  readonly code: string | undefined;

  /** @param timedOut reason of a timeout */
  constructor(config: PoolSettings, cause: unknown, timedOut?: string) {
    const { hosts, connectionString } = config;
    const urls = hosts?.urls ?? (connectionString === undefined ? [] : [connectionString]);
    const targets = urls.length > 0 ? urls.map(targetOf) : [targetOfClient(new Client(config))];
    const reasons = targets.map((target, index) =>
      reasonOf(hosts?.errorOf(urls[index] ?? '') ?? cause, target),
    );
    super(`${label(targets)}: ${timedOut ?? [...new Set(reasons)].join('; ')}`, { cause });
    this.code = codeOf(cause);
  }
}

/** Returns the hosts, ports and database of a URL for messages, without the password. */
export function databaseLabel(url: string): string {
  return label(parsePostgresUrl(url).urls.map(targetOf));
}

/** Returns the host and port of a URL with one host. */
export function hostLabel(url: string): string {
  return addressOf(targetOf(url));
}

function label(targets: Target[]): string {
  return `PostgreSQL at ${targets.map(addressOf).join(', ')}, database "${targets[0]?.database}"`;
}

function addressOf({ host, port }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Parses a URL without reading its files. */
function targetOf(url: string): Target {
  const [address = '', query] = url.split(/\?([^]*)/);
  const parameters = new URLSearchParams(query);
  const files = new Map(SSL_FILES.flatMap((name) => parameters.getAll(name).map((path) => [path, name])));
  const names = ['sslmode', ...SSL_FILES];
  const missing = names.filter((name) => !parameters.has(name) || parameters.get(name) === 'disable');
  for (const name of names) parameters.delete(name);
  return targetOfClient(new Client(`${address}?${parameters.toString()}`), missing, files);
}

function targetOfClient(
  { host, port, user, database }: Client,
  absent: string[] = [],
  files: Target['files'] = new Map(),
): Target {
  const missing = ['sslmode', 'sslcert'].find((name) => absent.includes(name));
  return { host, port, user, database, missing, files };
}

function reasonOf(cause: unknown, target: Target): string {
  const code = codeOf(cause);
  const path = cause instanceof Error && 'path' in cause ? String(cause.path) : undefined;
  const parameter = path === undefined ? undefined : target.files.get(path);
  if (parameter !== undefined) return `the ${parameter} ${JSON.stringify(path)} cannot be read (${code})`;
  const reason = code === undefined ? undefined : REASONS[code]?.(target);
  if (reason !== undefined) return reason;
  const text = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
  if (!(cause instanceof DatabaseError)) return text;
  const isNotAllowed = code === NOT_ALLOWED.code && cause.routine === NOT_ALLOWED.routine;
  const advice = isNotAllowed && target.missing ? `; the URL has no ${target.missing}` : '';
  return `${text} (${code})${advice}`;
}

function codeOf(cause: unknown): string | undefined {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
