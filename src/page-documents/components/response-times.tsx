import type { ResponseTime, ResponseTimesData } from '../../page-model/response-times-data.js';
import type { View } from '../../page-model/view.js';

const HOUR_MS = 3_600_000;
const HEIGHT = 100;

/** The scale ends at this multiple of the 95th percentile, so that one slow hour does not flatten the others. */
const USUAL_FACTOR = 2;

/** Steps of the scale, times powers of ten. */
const STEPS = [1, 2, 5, 10];

/** Renders the response times of a monitor: a chart of hours, and a table of days. Nothing without reports. */
export function ResponseTimes({ times, view }: { times: ResponseTimesData; view: View }) {
  const { words, dates } = view;
  const [first] = times.hours;
  if (!times.total || !first) return null;
  const text = millisecondsIn(view);
  const highest = Math.max(...times.hours.map(({ p95 }) => p95));
  const max = scaleOf(Math.min(highest, USUAL_FACTOR * times.total.p95));
  const days = Math.round((times.to - times.from) / (24 * HOUR_MS));
  const total = `${words.median} ${text(times.total.p50)} · ${words.p95} ${text(times.total.p95)}`;
  return (
    <section aria-labelledby="response-times">
      <h2 id="response-times">{words.response_times}</h2>
      <p class="facts">{total}</p>
      <p class="updated" aria-hidden="true">
        <span />
        <span>
          {highest > max && '≥ '}
          {text(max)}
        </span>
      </p>
      <Chart times={times} max={max} label={`${words.last_days(days)}: ${total}`} />
      <p class="updated" aria-hidden="true">
        <span>{dates.time(new Date(times.from))}</span>
        <span>{dates.time(new Date(times.to))}</span>
      </p>
      <details>
        <summary>{words.last_days(times.days.length)}</summary>
        <table class="days">
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.median}</th>
              <th scope="col">{words.p95}</th>
            </tr>
          </thead>
          <tbody>
            {times.days.toReversed().map(({ at, p50, p95 }) => (
              <tr>
                <th scope="row">{dates.day(new Date(at).toISOString().slice(0, 10))}</th>
                <td>{text(p50)}</td>
                <td>{text(p95)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function millisecondsIn({ words: { language } }: View): (ms: number) => string {
  const format = new Intl.NumberFormat(language);
  return (ms) => `${format.format(ms)}\u{a0}ms`;
}

/** Returns the smallest end of a scale that is not below a value: 1, 2 or 5, times a power of ten. */
function scaleOf(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return (STEPS.find((step) => step * power >= value) ?? 10) * power;
}

/** Renders the 95th percentile as an area, and the median as a line, in steps of hours. Hours without reports are gaps. */
function Chart({
  times: { hours, from, to },
  max,
  label,
}: {
  times: ResponseTimesData;
  max: number;
  label: string;
}) {
  const width = (to - from) / HOUR_MS;
  const y = (ms: number) => Math.round((1 - Math.min(ms / max, 1)) * 10 * HEIGHT) / 10;
  const runs = runsOf(hours);
  const x = ({ at }: ResponseTime) => (at - from) / HOUR_MS;
  const line = (run: ResponseTime[], of: 'p50' | 'p95') =>
    run.map((hour, index) => `${index === 0 ? `M${x(hour)} ` : 'V'}${y(hour[of])}h1`).join('');
  const areas = runs.map((run) => `${line(run, 'p95')}V${HEIGHT}h-${run.length}z`).join('');
  const lines = runs.map((run) => line(run, 'p50')).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height="96"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <path
        d={`M0 .5H${width}M0 50H${width}M0 99.5H${width}`}
        stroke="var(--rule)"
        vector-effect="non-scaling-stroke"
      />
      <path d={areas} fill="var(--link)" fill-opacity=".18" />
      <path
        d={lines}
        fill="none"
        stroke="var(--link)"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Returns the hours in runs without a gap. */
function runsOf(hours: readonly ResponseTime[]): ResponseTime[][] {
  const runs: ResponseTime[][] = [];
  let last: number | undefined;
  for (const hour of hours) {
    const run = runs.at(-1);
    if (run && last !== undefined && hour.at === last + HOUR_MS) run.push(hour);
    else runs.push([hour]);
    last = hour.at;
  }
  return runs;
}
