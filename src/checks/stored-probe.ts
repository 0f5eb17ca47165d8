import type { Check } from './check.entity.js';
import type { HeaderSecrets } from './header-secrets.js';
import type { ProbeTarget } from './probes/target.js';

/** Columns of a {@link StoredProbe}. */
export const PROBED = `checks.type, checks.target, checks.interval_seconds, checks.timeout_seconds, checks.method,
  checks.encrypted_headers, checks.body, checks.expected_status, checks.body_contains, checks.follow_redirects, checks.record_type,
  checks.expected, checks.days_before_expiry`;

/** Request of a check, as it is stored. */
export type StoredProbe = Pick<
  Check,
  | 'type'
  | 'target'
  | 'interval_seconds'
  | 'timeout_seconds'
  | 'method'
  | 'encrypted_headers'
  | 'body'
  | 'expected_status'
  | 'body_contains'
  | 'follow_redirects'
  | 'record_type'
  | 'expected'
  | 'days_before_expiry'
>;

/** Returns what a check asks, or undefined if its headers cannot be decrypted any more. */
export function targetOf(
  { encrypted_headers, ...probe }: StoredProbe,
  secrets: HeaderSecrets,
): ProbeTarget | undefined {
  const headers = secrets.read(encrypted_headers);
  return headers && { ...probe, headers };
}

/** Returns the maximum duration of a run in milliseconds. A run ends before the next one begins. */
export function timeoutOf({ interval_seconds, timeout_seconds }: StoredProbe): number {
  return Math.min(timeout_seconds, interval_seconds - 1) * 1_000;
}
