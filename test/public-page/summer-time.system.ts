import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MonitorDays } from '../../clients/typescript/src/index.js';
import { Program, startProgram } from '../support/process.js';
import type { One } from '../support/server.js';
import { partsOf, useVisits } from './use-visits.js';

const { server, tenant, monitorIn, incident, maintenance, pageOf, send } = useVisits();

const DAY_MS = 86_400_000;
const PUBLIC_URL = 'https://status.example';
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'];

/** Returns the days of the last year on which the clocks of a time zone change. */
function changesOf(timeZone: string): string[] {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (time: number) =>
    format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value;
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: 370 }, (_, index) => today - (index + 5) * DAY_MS);
  return days
    .filter((day) => offsetAt(day) !== offsetAt(day + DAY_MS))
    .map((day) => new Date(day).toISOString().slice(0, 10));
}

let monitor: string;
let slug: string;
let parts: string[];
const programs: (Program & { url: string })[] = [];

beforeAll(async () => {
  monitor = await monitorIn('operational');
  ({ slug } = await pageOf([monitor], { history_days: 365 }));
  const [change = ''] = changesOf('America/New_York');
  const { id } = await incident({ [monitor]: 'partial_outage' }, { started_at: `${change}T05:30:00.000Z` });
  await send('POST', `/v1/incidents/${id}/updates`, {
    status: 'resolved',
    body: 'Over',
    posted_at: `${change}T06:30:00.000Z`,
  });
  const ids = { monitor, incident: id, maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }) };
  parts = [...partsOf(ids), `/history?month=${change.slice(0, 7)}`];
  for (const TZ of ZONES)
    programs.push(await startProgram({ ...server.databaseEnv, DEMO: 'false', PUBLIC_URL, TZ }));
}, 120_000);

afterAll(() => Program.killAll());

describe('days around a daylight saving time change', () => {
  it.each(['America/New_York', 'Europe/Berlin'])('contain 86,400 seconds each: %s', async (zone) => {
    const changes = changesOf(zone);
    expect(changes).toHaveLength(2);
    for (const change of changes) {
      const dayAt = (count: number) =>
        new Date(Date.parse(change) + count * DAY_MS).toISOString().slice(0, 10);
      const path = `/v1/monitors/${monitor}/days?from=${dayAt(-3)}&to=${dayAt(3)}`;
      const { days } = (await send<One<MonitorDays>>('GET', path)).body.data;
      expect(days.map(({ day }) => day)).toEqual([-3, -2, -1, 0, 1, 2, 3].map(dayAt));
      for (const { day, uptime: _, observed_seconds: _observed, ...seconds } of days) {
        const sum = Object.values(seconds).reduce((total, one) => total + one, 0);
        expect([day, sum]).toEqual([day, 86_400]);
      }
    }
  });
});

describe('a server in any time zone', () => {
  /**
   * Response of each server to a path, without seconds, because pages contain the time of reading. Requested again if a
   * minute or second ended during the requests.
   */
  async function textsOf(path: string, headers: Record<string, string> = {}): Promise<string[]> {
    let texts: string[] = [];
    for (let tries = 0; tries < 10 && new Set(texts).size !== 1; tries++)
      texts = await Promise.all(
        programs.map(async ({ url }) => {
          const response = await fetch(url + path, { headers });
          return `${response.status} ${(await response.text()).replaceAll(/:\d\d\.\d{3}Z/g, 'Z')}`;
        }),
      );
    return texts;
  }

  it('serves the same bytes for each part of a page', { timeout: 60_000 }, async () => {
    for (const part of parts) {
      const texts = await textsOf(`/status/${slug}${part}`);
      expect(texts[0]).toMatch(/^200 /);
      expect([part, new Set(texts).size]).toEqual([part, 1]);
    }
  });

  it('returns the same days', async () => {
    const [to = ''] = changesOf('Europe/Berlin');
    const texts = await textsOf(`/v1/monitors/${monitor}/days?to=${to}`, {
      Authorization: `Bearer ${tenant.key}`,
    });
    expect(texts[0]).toMatch(/^200 /);
    expect(new Set(texts).size).toBe(1);
  });
});
