import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { Name } from './text.js';

/** Statuses that are named, worst first. */
const NAMED = MONITOR_STATUSES.filter((status) => status !== 'operational');

/** Maximum number of statuses with names. Further statuses have a number. */
const MAX_NAMED_GROUPS = 2;

const MAX_NAMES = 3;

/** Maximum number of characters of all names of a status, and of one name, so that the line is at most two lines long. */
const MAX_LENGTH = 60;
const MAX_NAME_LENGTH = 40;

/** Renders the line below the headline: the monitors that are not operational, worst first, and how many are. */
export function WhatIsWrong({ current, view }: { current: CurrentPart; view: View }) {
  const { headline, counts, sections } = current;
  const { words } = view;
  if (headline.kind === 'no_monitors') return <p class="wrong">{words.no_monitors_text}</p>;
  if (counts.total === 0) return null;
  if (counts.operational === counts.total) {
    // An incident without impact leaves all monitors operational. With an impact of its own, the good news would contradict it.
    const isQuiet = headline.kind === 'open_incidents' && headline.status === 'operational';
    return isQuiet ? <p class="wrong">{words.all_operational}</p> : null;
  }
  if (headline.kind === 'all_degraded' || headline.kind === 'all_unknown') return null;
  const monitors = new Map(
    sections.flatMap((section) => section.monitors).map((one) => [one.monitor_id, one]),
  );
  const namesOf = (status: MonitorStatus) =>
    [...monitors.values()].filter((one) => one.status === status).map(({ name }) => name);
  const groups = NAMED.filter((status) => counts[status] > 0);
  return (
    <p class="wrong">
      {groups.map((status, index) => {
        const [before = '', after = ''] = words.wrong[status].split('{names}');
        return (
          <>
            {index > 0 && words.space}
            {before}
            {index < MAX_NAMED_GROUPS ? (
              <Names names={namesOf(status)} view={view} />
            ) : (
              joined(words.systems(counts[status]))
            )}
            {after}
          </>
        );
      })}
      {counts.operational > 0 && words.space + joined(words.others_operational(counts.operational))}
    </p>
  );
}

/** Returns a text whose line does not break between a number and its word. */
const joined = (text: string) => text.replace(/(\p{Nd}) /u, '$1\u00a0');

/** Renders the first names, and how many others there are. */
function Names({ names, view: { words } }: { names: string[]; view: View }) {
  const shown = firstOf(names.map(shortened));
  const others = names.length - shown.length;
  const parts = new Intl.ListFormat(words.language).formatToParts([
    ...shown,
    ...(others > 0 ? [joined(words.others(others))] : []),
  ]);
  let elements = 0;
  return (
    <>
      {parts.map(({ type, value }) =>
        type === 'element' && elements++ < shown.length ? <Name>{value}</Name> : value,
      )}
    </>
  );
}

/** Returns as many names as fit, at least one. */
function firstOf(names: string[]): string[] {
  let length = 0;
  const end = names.findIndex((name, index) => {
    length += name.length;
    return index === MAX_NAMES || (index > 0 && length > MAX_LENGTH);
  });
  return end === -1 ? names : names.slice(0, end);
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return name;
  return `${characters
    .slice(0, MAX_NAME_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}
