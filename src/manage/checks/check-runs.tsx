import type { CheckRunDto, CheckStateDto } from '../../checks/dto/check-run.dto.js';
import type { CheckDto } from '../../checks/dto/check.dto.js';
import { Summary } from '../fields.js';
import { FormKeys } from '../resource-form.js';
import { timeOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { check: words } = WORDS;

interface Props {
  visit: Visit;
  /** Path of the monitor. */
  path: string;
  check: CheckDto;
  state: CheckStateDto | undefined;
  /** Result of a run on request. */
  run: CheckRunDto | undefined;
}

/** Renders the last run of a check, and the button for one more run with its result. */
export function Runs({ visit, path, check, state, run }: Props) {
  return (
    <section class="runs">
      <LastRun check={check} state={state} />
      {run && <Summary text={words.now(resultOf(run))} role="status" />}
      {may(visit, 'monitors:write') && (
        <form method="post" action={`${path}/check/run`}>
          <FormKeys visit={visit} />
          <div class="actions">
            <button class="button" type="submit">
              {words.run}
            </button>
            <span class="quiet">{words.run_hint}</span>
          </div>
        </form>
      )}
    </section>
  );
}

function resultOf({ error, duration_ms }: Pick<CheckRunDto, 'error' | 'duration_ms'>): string {
  return error === null ? words.works(duration_ms) : words.fails(error);
}

function LastRun({ check, state }: { check: CheckDto; state: CheckStateDto | undefined }) {
  if (!check.enabled) return <p>{words.paused}</p>;
  const { checked_at, error = null, duration_ms } = state ?? {};
  if (!checked_at)
    return (
      <p>
        {words.never} {words.next}
      </p>
    );
  return (
    <p>
      {words.last(timeOf(checked_at))} {resultOf({ error, duration_ms: duration_ms ?? 0 })}
    </p>
  );
}
