import { ForbiddenAddressError } from './network-guard.js';

/** The attempt has taken too long. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The endpoint has sent many responses of 1xx before the final one, which cost time. */
export class InformationalError extends Error {
  override readonly name = 'InformationalError';
}

/** The caller has aborted the attempt. */
export class CanceledError extends Error {
  override readonly name = 'CanceledError';
}

/** Texts by the code of an error. */
const TEXTS = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed'],
  ['EPIPE', 'connection closed'],
  ['UND_ERR_SOCKET', 'connection closed'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'host unreachable'],
  ['EADDRNOTAVAIL', 'host unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ENOTFOUND', 'DNS: not found'],
  ['ENODATA', 'DNS: not found'],
  ['EBADNAME', 'DNS: not found'],
  ['ETIMEOUT', 'DNS: timeout'],
  ['ECANCELLED', 'DNS: timeout'],
  ['EAI_AGAIN', 'DNS: timeout'],
  ['ESERVFAIL', 'DNS: server failure'],
  ['EREFUSED', 'DNS: server failure'],
  ['EFORMERR', 'DNS: server failure'],
  ['EBADRESP', 'DNS: server failure'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is for another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate is from an unknown issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate is from an unknown issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate is from an unknown issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate is from an unknown issuer'],
  ['EPROTO', 'TLS failure'],
  ['UND_ERR_HEADERS_OVERFLOW', 'the response is not HTTP'],
  ['ERR_INVALID_URL', 'invalid URL'],
]);

/** Returns a short, stable text for the failure of an attempt, without anything of the URL. */
export function textOfError(error: unknown): string {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof InformationalError) return 'too many informational responses';
  if (error instanceof CanceledError) return 'canceled';
  if (error instanceof ForbiddenAddressError) return error.message;
  // All addresses of the name have failed.
  if (error instanceof AggregateError && error.errors.length > 0) return textOfError(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the response is not HTTP';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return TEXTS.get(code) ?? 'TLS failure';
  return TEXTS.get(code) ?? 'connection failed';
}

/** Returns the failure that a status means, or null for 2xx. */
export function textOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect to another URL' : `status ${status}`;
}
