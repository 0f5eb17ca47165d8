import type { RecordType } from '../../platform/network/dns.js';

export const CHECK_TYPES = ['http', 'tcp', 'dns', 'tls'] as const;
export type CheckType = (typeof CHECK_TYPES)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Request of a probe, and the expected response. */
export interface ProbeTarget {
  type: CheckType;
  /** A URL (`http`), a host and a port (`tcp`, `tls`), or a name (`dns`). */
  target: string;
  method: HttpMethod;
  /** Headers of an HTTP request, by name in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Codes and ranges of HTTP statuses, such as `200-299,401`. */
  expected_status: string;
  body_contains: string | null;
  follow_redirects: boolean;
  record_type: RecordType;
  expected: string | null;
  days_before_expiry: number;
}

/** Result of a probe. Times are in milliseconds; null: the run has not reached the phase, or its type does not have it. */
export interface ProbeResult {
  /** Time until the result. */
  duration_ms: number;
  /** Why it has failed, without anything that the target has sent; null: it has not. */
  error: string | null;
  /** HTTP status of the last response. */
  status_code: number | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  /** From the request to the head of its response. */
  first_byte_ms: number | null;
  /** End of the server certificate. */
  certificate_expires_at: Date | null;
}

/** Findings of a probe on its way. */
export type Findings = Omit<ProbeResult, 'duration_ms' | 'error'>;

/** The target has responded, but not as expected. The message is the error of the result. */
export class UnexpectedError extends Error {
  override readonly name = 'UnexpectedError';
}

/** Returns whether an HTTP status is in a list of codes and ranges. */
export function includesStatus(list: string, status: number): boolean {
  return list.split(',').some((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return from !== undefined && to !== undefined && from <= status && status <= to;
  });
}
