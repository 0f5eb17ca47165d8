import type { CheckRunDto, CheckStateDto } from '../../checks/dto/check-run.dto.js';
import type { CheckDto } from '../../checks/dto/check.dto.js';
import { CHECK_TYPES } from '../../checks/probes/target.js';
import type { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { LinkButton } from '../buttons.js';
import { Summary } from '../fields.js';
import { screen } from '../frame.js';
import { LinkRow } from '../link-row.js';
import type { Reply } from '../reply.js';
import { Crumb } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { CheckForm } from './check-form.js';
import type { CheckValues } from './check-values.js';
import { Runs } from './check-runs.js';

const { check: words } = WORDS;

interface Page {
  monitor: MonitorDto;
  check: CheckDto | undefined;
  state: CheckStateDto | undefined;
  /** undefined: the type is not chosen yet. */
  values: CheckValues | undefined;
  run?: CheckRunDto;
  prevented?: Prevented;
}

/** Renders the check of a monitor: its last run, and the form that changes it, or the choice of a new one. */
export function renderCheck(
  visit: Visit,
  { monitor, check, state, values, run, prevented = {} }: Page,
): Reply {
  const path = `/manage/monitors/${monitor.id}`;
  const canWrite = may(visit, 'monitors:write');
  const done = visit.query.get('done') === 'saved' ? WORDS.saving.saved : undefined;
  return screen({
    title: words.title_of(monitor.name),
    visit,
    current: 'monitors',
    status: statusOf(prevented),
    children: (
      <>
        <Crumb path={path} text={monitor.name} />
        <h1>{words.title}</h1>
        <Summary text={done} role="status" />
        {check ? (
          <Runs visit={visit} path={path} check={check} state={state} run={run} />
        ) : (
          <p class="quiet">{words.none}</p>
        )}
        {canWrite && !values && <Types path={path} />}
        {canWrite && values && (
          <CheckForm visit={visit} path={path} check={check} values={values} prevented={prevented} />
        )}
        {canWrite && check && (
          <LinkButton path={`${path}/check/delete`} text={WORDS.saving.delete} kind="danger" />
        )}
      </>
    ),
  });
}

function Types({ path }: { path: string }) {
  return (
    <section>
      <h2>{words.choose}</h2>
      <ul class="rows">
        {CHECK_TYPES.map((type) => (
          <LinkRow path={`${path}/check?type=${type}`}>
            <span class="what">{words.types[type]}</span>
          </LinkRow>
        ))}
      </ul>
    </section>
  );
}
