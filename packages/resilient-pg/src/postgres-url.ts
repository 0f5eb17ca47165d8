import { readFileSync } from 'node:fs';
import { Client } from 'pg';

const POSTGRES_URL =
  'must be a URL that starts with postgres:// or postgresql://, such as postgres://user:password@host:5432/database';
/** Parameters whose values are file paths. `pg` reads the files for each connection. */
export const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
const SSL_MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];
const SESSION_ATTRIBUTES = ['any', 'read-write'];

/** Servers of a URL. */
export interface PostgresUrl {
  /** A `pg` URL for each host, in the order of the URL. */
  urls: [string, ...string[]];
  /** Whether the server must be writable: `target_session_attrs=read-write`. */
  mustWrite: boolean;
}

/**
 * Parses a URL as libpq does. It may contain several hosts and `target_session_attrs`. The meaning of `sslmode` does not depend on the
 * version of `pg`: `require` is `verify-full`, and `verify-ca` does not check the host name.
 */
export function parsePostgresUrl(url: string): PostgresUrl {
  const [, start = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?]*)\??([^]*)$/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const mustWrite = parameters.get('target_session_attrs') === 'read-write';
  const sslmode = parameters.get('sslmode');
  const isRewritten = sslmode !== null || parameters.has('target_session_attrs');
  parameters.delete('target_session_attrs');
  if (sslmode === 'require') parameters.set('sslmode', 'verify-full');
  if (sslmode === 'verify-ca') parameters.set('uselibpqcompat', 'true');
  const rest = isRewritten ? parameters.toString() : query;
  const [first = '', ...others] = authority.split(',').map((host) => `${start}${host}${path}?${rest}`);
  return { urls: [first, ...others], mustWrite };
}

/** Checks a PostgreSQL URL. Returns an error that does not contain the URL, or undefined. */
export function checkPostgresUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !/^postgres(ql)?:\/\//.test(url)) return POSTGRES_URL;
  try {
    decodeURIComponent(url);
    const { urls } = parsePostgresUrl(url);
    const [, query = ''] = /\?([^]*)/.exec(url) ?? [];
    const parameters = new URLSearchParams(query);
    const error = checkParameters(parameters) ?? checkFiles(parameters);
    if (error) return error;
    const hosts = urls.map((one) => new Client(one).host); // does not connect
    const isEmpty = urls.some((one) => /:\/\/([^/?#]*@)?(:\d*)?[/?]/.test(one));
    return hosts.some((host) => host.includes(',')) || (urls.length > 1 && isEmpty)
      ? POSTGRES_URL
      : undefined;
  } catch {
    return POSTGRES_URL;
  }
}

/** Splits a list of URLs separated by spaces or commas. A URL can itself contain commas. */
export function splitPostgresUrls(text: string): string[] {
  return text.split(/\s*,\s*(?=postgres(?:ql)?:)|\s+/).filter((url) => url !== '');
}

/** Checks the URLs of replicas. Returns an error that does not contain the URLs, or undefined. */
export function checkReplicaUrls(text: unknown): string | undefined {
  if (typeof text !== 'string') return POSTGRES_URL;
  for (const url of splitPostgresUrls(text)) {
    const error = checkPostgresUrl(url);
    if (error) return error;
    const { urls, mustWrite } = parsePostgresUrl(url);
    if (urls.length > 1 || mustWrite) return 'must contain one host per URL, without target_session_attrs';
  }
  return undefined;
}

function checkParameters(parameters: URLSearchParams): string | undefined {
  const sslmode = parameters.get('sslmode');
  if (sslmode !== null && !SSL_MODES.includes(sslmode))
    return `has an invalid sslmode (valid: ${SSL_MODES.join(', ')})`;
  if (sslmode === 'verify-ca' && !parameters.has('sslrootcert'))
    return 'has sslmode=verify-ca, which requires sslrootcert with the path of the CA file';
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    return 'must have both sslcert and sslkey, or neither';
  const attributes = parameters.get('target_session_attrs');
  if (attributes !== null && !SESSION_ATTRIBUTES.includes(attributes))
    return `has invalid target_session_attrs (valid: ${SESSION_ATTRIBUTES.join(', ')})`;
  return undefined;
}

/** Checks that the files are readable. The error contains the path, which is not secret, but never the content of the file. */
function checkFiles(parameters: URLSearchParams): string | undefined {
  for (const name of SSL_FILES) {
    const path = parameters.getAll(name).at(-1); // as `pg` does
    if (!path) continue;
    try {
      readFileSync(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return `has the ${name} ${JSON.stringify(path)}, which cannot be read (${code})`;
    }
  }
  return undefined;
}
