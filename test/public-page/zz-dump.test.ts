import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { renderOverview } from '../../src/public-page/components/overview-page.js';
import { renderMonitor } from '../../src/public-page/components/monitor-page.js';
import { noSeconds, sumOf, uptimeOf, observedIn } from '../../src/days/uptime.js';
import { day, head, monitor, overview, section, view, today, maintenance } from './components-data.js';
const DAY = 86_400;
const at = (ago: number) => new Date(Date.UTC(2026, 10, 21 - ago)).toISOString().slice(0, 10);
const p = (ago: number, f: object) => {
  const d = { ...noSeconds(), ...f };
  const s = Object.values(d).reduce((a, b) => a + b, 0);
  return day(at(ago), { ...f, operational: (f as any).operational ?? DAY - s });
};
const mon = (name: string, days: any[], f: object = {}) => {
  const all = [...days, today];
  const sum = sumOf(all);
  sum.operational += (90 - all.length) * DAY;
  return monitor(name, {
    monitor_id: name.slice(0, 8),
    created_at: new Date('2025-01-01'),
    days: all,
    uptime: uptimeOf(sum),
    observed_seconds: observedIn(sum),
    ...f,
  });
};
const empty = (from: number, to: number) =>
  Array.from({ length: from - to }, (_, i) => day(at(from - i), { unknown: DAY }));
it('dump', () => {
  const a = section(
    'Core services',
    [
      mon(
        'API',
        [
          p(60, { major_outage: 600 }),
          p(40, { major_outage: 40 }),
          p(20, { major_outage: 4000 }),
          p(5, { degraded_performance: 3000 }),
        ],
        { status: 'degraded_performance' },
      ),
      mon('Dashboard', [
        p(50, { degraded_performance: 600 }),
        p(30, { partial_outage: 600 }),
        p(29, { partial_outage: 6000 }),
        p(10, { under_maintenance: 7200 }),
      ]),
      mon('Webhooks', [...[88, 70, 65].map((d) => p(d, { major_outage: 40 })), ...empty(30, 25)]),
      mon('Email', []),
      mon('New one', [...empty(89, 20), p(20, { unknown: 40000 })], {
        created_at: new Date('2026-11-01T11:00:00Z'),
      }),
    ],
    'degraded_performance',
  );
  const b = section(
    'Regions',
    [
      mon('Europe', []),
      mon('Newest', [...empty(89, 0)], {
        created_at: new Date('2026-11-21T00:00:00Z'),
        observed_seconds: 45000,
        days: [...empty(89, 0), today],
      }),
      mon('שירות', [p(2, { major_outage: 90000, operational: 0 })]),
      mon('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2), [], {
        status: 'major_outage',
      }),
    ],
    'major_outage',
  );
  const inc = {
    id: 'i1',
    title: 'Errors in the API',
    monitor_id: 'API',
    started_at: new Date('2026-11-01T01:00:00Z'),
    ended_at: new Date('2026-11-01T03:00:00Z'),
  };
  writeFileSync(
    '/tmp/bars/mixed.html',
    renderOverview(
      overview([a, b], {
        day_incidents: [inc],
        recent: {
          incidents: [],
          maintenances: [
            maintenance('Upgrade of disks', {
              status: 'completed',
              starts_at: new Date('2026-11-11T01:00:00Z'),
              ended_at: new Date('2026-11-11T03:00:00Z'),
              monitors: [{ monitor_id: 'Dashboar', name: 'Dashboard' }],
            }),
          ],
        },
      }),
      view,
    ).body,
  );
  const fine = Array.from({ length: 15 }, (_, i) => mon('Service ' + i, []));
  writeFileSync(
    '/tmp/bars/fine.html',
    renderOverview(
      overview([
        section('Core', fine.slice(0, 5)),
        section('Regions', fine.slice(5, 10)),
        section('Others', fine.slice(10)),
      ]),
      view,
    ).body,
  );
  writeFileSync(
    '/tmp/bars/monitor.html',
    renderMonitor({ page: head(), monitor: a.monitors[0]!, day_incidents: [inc] }, view).body,
  );
  const year = { page: head({ history_days: 365 }) };
  writeFileSync('/tmp/bars/year.html', renderOverview(overview([a], year), view).body);
});
