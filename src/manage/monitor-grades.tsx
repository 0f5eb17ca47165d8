import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { Shape } from '../page-documents/components/status.js';
import { STATUS_CLASS } from '../page-documents/components/status-shapes.js';
import type { Errors } from './errors-of-fields.js';
import { Group } from './fields.js';
import type { OwnMonitor } from './project-contents.js';
import { WORDS } from './words.js';

/** Maximum number of monitors that a form shows. A search shows others. */
const MAX_ROWS = 8;

/** Beginning of the names of fields that contain the status for a monitor. */
export const PREFIX = 'monitor.';

/** Statuses that an incident sets for monitors, by ID. */
export type Grades = ReadonlyMap<string, ReportedStatus>;

const GRADES = ['', ...REPORTED_STATUSES.filter((status) => status !== 'operational')] as const;

/** Returns the statuses in a sent form. */
export function gradesIn(sent: URLSearchParams): Map<string, ReportedStatus> {
  return new Map(
    [...sent].flatMap(([name, value]) => {
      const status = REPORTED_STATUSES.find((one) => one === value);
      return name.startsWith(PREFIX) && status ? [[name.slice(PREFIX.length), status] as const] : [];
    }),
  );
}

/** Returns the value of `monitors` in the API. */
export function toMonitors(grades: Grades): { monitor_id: string; status: ReportedStatus }[] {
  return [...grades].map(([monitor_id, status]) => ({ monitor_id, status }));
}

interface Props {
  monitors: readonly OwnMonitor[];
  grades: Grades;
  /** Text that the names contain; empty: none. */
  find: string;
  errors?: Errors | undefined;
  /** Effect of a choice of no monitor. */
  note?: string;
}

/** Renders monitors with a choice of status each: the chosen ones, then those with a problem, then the others. */
export function MonitorGrades({ monitors, grades, find, errors, note }: Props) {
  const found = matching(monitors, find);
  const isChosen = ({ id }: OwnMonitor) => grades.has(id);
  const rank = (one: OwnMonitor) =>
    isChosen(one) ? 0 : find !== '' && found.has(one.id) ? 1 : isBad(one) ? 2 : 3;
  const candidates = find === '' ? monitors : monitors.filter((one) => isChosen(one) || found.has(one.id));
  const sorted = candidates.toSorted((one, other) => rank(one) - rank(other));
  const [rows, others] = [sorted.slice(0, MAX_ROWS), sorted.slice(MAX_ROWS)];
  const hidden = others.filter(isChosen);
  const { incident: words } = WORDS;
  return (
    <Group
      name="monitors"
      label={words.monitors}
      hint={[words.monitors_hint, ...(note === undefined ? [] : [note])].join(' ')}
      errors={errors}
    >
      <ul class="grades">
        {rows.map((monitor) => (
          <Row monitor={monitor} grade={grades.get(monitor.id) ?? ''} />
        ))}
      </ul>
      {hidden.map(({ id }) => (
        <input type="hidden" name={PREFIX + id} value={grades.get(id)} />
      ))}
      {hidden.length > 0 && <p class="quiet">{words.chosen_hidden(hidden.length)}</p>}
      {find !== '' && found.size === 0 && <p class="quiet">{words.found_none(find)}</p>}
      {(monitors.length > MAX_ROWS || find !== '') && (
        <Finder find={find} more={others.length - hidden.length} />
      )}
    </Group>
  );
}

/** Renders the search in a form for more monitors than it shows. `action`: where the form goes, if that differs from the form's own. */
export function Finder({ find, more, action }: { find: string; more: number; action?: string }) {
  const { incident: words } = WORDS;
  return (
    <div class="find">
      <div class="field">
        <label for="find">{words.find(more)}</label>
        <input type="search" id="find" name="find" value={find} autocomplete="off" dir="auto" />
      </div>
      <button class="button plain" type="submit" name="step" value="find" formAction={action}>
        {words.find_button}
      </button>
    </div>
  );
}

/** Returns the IDs of the monitors whose names contain a text. */
export function matching(monitors: readonly OwnMonitor[], find: string): Set<string> {
  const text = find.toLowerCase();
  return new Set(monitors.filter(({ name }) => name.toLowerCase().includes(text)).map(({ id }) => id));
}

/** Returns whether a monitor is reported with a problem. */
export function isBad({ status }: Pick<OwnMonitor, 'status'>): boolean {
  return status !== 'operational' && status !== 'unknown' && status !== 'under_maintenance';
}

function Row({ monitor: { id, name, status }, grade }: { monitor: OwnMonitor; grade: ReportedStatus | '' }) {
  return (
    <li>
      <fieldset>
        <legend>
          <Shape status={status} />
          <bdi>{name}</bdi>
          {status !== 'operational' && (
            <span class="quiet"> {WORDS.incident.present(WORDS.status[status])}</span>
          )}
        </legend>
        <div class="choices">
          {GRADES.map((value) => (
            <label class={value === '' ? 'chip' : `chip ${STATUS_CLASS[value]}`}>
              <input type="radio" name={PREFIX + id} value={value} checked={value === grade} />
              <span>
                {value !== '' && <Shape status={value} />}
                {WORDS.grades[value]}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  );
}
