import type { ProbeResult } from './probes/target.js';
import type { DueCheck, Verdict } from './check-states.repository.js';

/** A check's rules, and its state before the run. */
type Before = Verdict & Pick<DueCheck, 'failures' | 'recoveries' | 'degraded_above_ms' | 'status_on_failure'>;

/** Returns the state of a check after a run. */
export function verdictOf(
  before: Before,
  { error, duration_ms }: Pick<ProbeResult, 'error' | 'duration_ms'>,
): Verdict {
  return error === null ? afterSuccess(before, duration_ms) : afterFailure(before);
}

function afterFailure({ status, is_failing, failed_runs, failures, status_on_failure }: Before): Verdict {
  const failed = failed_runs + 1;
  const isFailing = is_failing || failed >= failures;
  return {
    status: isFailing ? status_on_failure : status,
    is_failing: isFailing,
    failed_runs: failed,
    successful_runs: 0,
    slow_runs: 0,
  };
}

function afterSuccess(before: Before, duration_ms: number): Verdict {
  const { status, is_failing, successful_runs, slow_runs, recoveries, failures, degraded_above_ms } = before;
  const { status_on_failure } = before;
  const successful = successful_runs + 1;
  const isFailing = is_failing && successful < recoveries;
  const slow = degraded_above_ms !== null && duration_ms > degraded_above_ms ? slow_runs + 1 : 0;
  const isDegraded = slow >= failures || (slow > 0 && !is_failing && status === 'degraded_performance');
  return {
    status: isFailing ? status_on_failure : isDegraded ? 'degraded_performance' : 'operational',
    is_failing: isFailing,
    failed_runs: 0,
    successful_runs: successful,
    slow_runs: slow,
  };
}
