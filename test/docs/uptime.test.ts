import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useDays } from '../days/use-days.js';

const { server, monitor, at, dayAt, send, make, reportAt, daysOf, oneDay } = useDays();

/** An event of an example, with its hour and its text. */
interface Event {
  hour: number;
  text: string;
  /** The word in code, such as `major_outage`. */
  word: string;
}

interface Example {
  title: string;
  stale_after_seconds: number | null;
  events: Event[];
  seconds: Record<string, number>;
  /** The numbers of the formula: 1 − (major + 0.3 · partial) / (observed − maintenance) = uptime %. */
  formula: number[];
}

const numberIn = (text: string): number => Number(text.replaceAll(',', ''));

/** The numbers of 1 − (major + 0.3 · partial) / (observed − maintenance) = … = uptime %. */
const FORMULA = /^1 − \(([\d,]+) \+ 0\.3 · ([\d,]+)\) \/ \(([\d,]+) − ([\d,]+)\) = .* = ([\d.]+) %$/m;

/** The worked examples of docs/api/monitors.md. */
function examples(): Example[] {
  const [, section = ''] =
    /\n### Worked examples\n(.*?)\n## /s.exec(readFileSync('docs/api/monitors.md', 'utf8')) ?? [];
  return section
    .split('\n#### ')
    .slice(1)
    .map((text) => {
      const events = [...text.matchAll(/^\| (\d\d):(\d\d) +\| (.*?) +\|$/gm)].map(
        ([, hours, minutes, what = '']): Event => ({
          hour: Number(hours) + Number(minutes) / 60,
          text: what.replace(/ `\w+`$/, ''),
          word: /`(\w+)`$/.exec(what)?.[1] ?? '',
        }),
      );
      const seconds = [...text.matchAll(/^\| `(\w+)` +\|.*\| ([\d,]+) +\|$/gm)];
      return {
        title: text.split('\n', 1)[0] ?? '',
        stale_after_seconds: Number(/`stale_after_seconds` (\d+)/.exec(text)?.[1] ?? 0) || null,
        events,
        seconds: Object.fromEntries(seconds.map(([, status, number = '']) => [status, numberIn(number)])),
        formula: (FORMULA.exec(text) ?? []).slice(1).map(numberIn),
      };
    });
}

/** The day on which the examples take place: three days ago. */
const DAY = -3;

const hourOf = (events: Event[], text: string): number => {
  const found = events.find((event) => event.text === text);
  if (!found) throw new Error(`the example does not say: ${text}`);
  return found.hour;
};

/** Creates the incident of an example. The first event describes its start, the others are updates. */
async function declare(monitor_id: string, [first, ...updates]: Event[]): Promise<void> {
  if (!first) return;
  const id = await make('/v1/incidents', {
    title: 'Incident',
    body: 'Declared later.',
    started_at: at(DAY, first.hour),
    monitors: [{ monitor_id, status: first.word }],
  });
  for (const { hour, word } of updates) {
    const isEnd = word === 'resolved';
    const { status } = await send('POST', `/v1/incidents/${id}/updates`, {
      status: isEnd ? 'resolved' : 'identified',
      body: 'An update.',
      posted_at: at(DAY, hour),
      ...(!isEnd && { monitors: [{ monitor_id, status: word }] }),
    });
    expect(status).toBe(201);
  }
}

describe('worked examples of uptime in docs/api/monitors.md', () => {
  it('match this list', () => {
    expect(examples().map(({ title }) => title)).toEqual([
      'Outages',
      'Maintenance window',
      'Half a day without reports',
      'A backdated incident',
      'A new monitor without probes',
    ]);
  });

  it.each(examples())('$title', async ({ stale_after_seconds, events, seconds, formula }) => {
    const of = (...texts: string[]) => events.filter(({ text }) => texts.includes(text));
    const reports = of('the probe reports');
    const maintenance = of('a maintenance window starts', 'the maintenance window ends');
    const incident = of('an incident sets', 'its update sets');
    const creation = of('the monitor is created');
    expect([...reports, ...maintenance, ...incident, ...creation]).toHaveLength(events.length);

    const id = await monitor(stale_after_seconds);
    for (const { hour } of creation)
      await server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, at(DAY, hour)]);
    if (reports.length > 0)
      await reportAt(id, ...reports.map(({ word, hour }): [string, number, number] => [word, DAY, hour]));
    const before = await oneDay(id, DAY); // closes the day, so that later events change it
    const unobserved = 3_600 * (creation[0]?.hour ?? 0);
    if (incident.length > 0) expect(before).toMatchObject({ operational: 86_400 - unobserved, uptime: 100 });
    if (maintenance.length > 0)
      await make('/v1/maintenances', {
        title: 'Maintenance',
        starts_at: at(DAY, hourOf(events, 'a maintenance window starts')),
        ends_at: at(DAY, hourOf(events, 'the maintenance window ends')),
        monitor_ids: [id],
      });
    await declare(id, incident);

    const [major = 0, partial = 0, observed = 0, maintained = 0, uptime = 0] = formula;
    expect(await oneDay(id, DAY)).toEqual({
      day: dayAt(DAY),
      uptime,
      observed_seconds: observed - maintained,
      ...seconds,
    });
    const { body } = await daysOf(id, `?from=${dayAt(DAY)}&to=${dayAt(DAY)}`);
    expect(body.data.uptime).toBe(uptime);

    // The formula contains the numbers of the table, and returns the result.
    const { major_outage = 0, partial_outage = 0, under_maintenance = 0, unknown = 0 } = seconds;
    expect([major, partial, observed, maintained]).toEqual([
      major_outage,
      partial_outage,
      86_400 - unknown,
      under_maintenance,
    ]);
    const exact = 100 * (1 - (major + 0.3 * partial) / (observed - maintained));
    expect(Math.floor(exact * 100 + 1e-6) / 100).toBe(uptime);
    expect(Object.values(seconds).reduce((sum, one) => sum + one, 0)).toBe(86_400);
  });
});
