import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncidentUpdate, Maintenance, Incident } from '../../clients/typescript/src/index.js';
import { SEED } from '../support/seed.js';
import { type One, useTenant, useTestServer } from '../support/server.js';
import { daysPath, Sequence, statusPath, textOf } from './driver.js';
import { DAY_MS, type Days, linesOf, Model, REPORTED, type Reported, type StatusNow } from './model.js';
import { ReportQueue } from './report-queue.js';
import { DAYS_BACK, MONITORS, type Operation, sequences } from './sequences.js';

/** Number of rounds. `SEED=1 npm run test:system -- test/history/races` runs them with another seed. */
const ROUNDS = 12;
const READERS = 3;
const AT_ONCE = 4;

const server = useTestServer();
const tenant = useTenant(server);

/** Response to a reader, and the operations that may have been applied before it. */
interface Seen {
  id: string;
  path: string;
  text: string;
  /**
   * Number of operations that were complete when the reader sent its request, and that had started when it got the
   * response.
   */
  complete: number;
  begun: number;
  times: [asked: number, answered: number];
}

async function get<Data>(path: string): Promise<Data> {
  const { status, text, body } = await server.ask<One<Data>>(path, { key: tenant.key });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return body.data;
}

const daysOf = async (path: string): Promise<string> => linesOf(await get<Days>(path)).join('\n');
const statusOf = async (path: string): Promise<string> => textOf(await get<StatusNow>(path));

/** Operations that only read, that delete monitors, or that no request can send. */
const OTHERS = new Set(['read', 'read all', 'delete monitor', 'create']);

/** Returns sequences that only write and do not delete monitors. */
const writes = (count: number): Operation[][] =>
  fc
    .sample(sequences, { numRuns: 3 * count, seed: SEED })
    .map((all) => all.filter(({ do: name }) => !OTHERS.has(name)))
    .reduce<Operation[][]>((joined, all, index) => {
      (joined[Math.floor(index / 3)] ??= []).push(...all);
      return joined;
    }, []);

describe('GET /v1/monitors/{id}/days and status during writes', () => {
  /** Number of responses. */
  let count = 0;

  it(`return the state before or after each operation, seed ${SEED}`, async () => {
    const left = writes(ROUNDS);
    const wrong: object[] = [];
    while (left.length > 0)
      // a few at a time, because all of them would overload the server
      wrong.push(...(await Promise.all(left.splice(0, AT_ONCE).map(race))).flat());
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(ROUNDS * READERS);
  }, 600_000);

  /** Applies operations sequentially while readers read. Returns the responses that were never correct. */
  async function race(operations: Operation[]): Promise<object[]> {
    const sequence = new Sequence(server, tenant, new ReportQueue(server, tenant));
    await sequence.begin();
    const versions = [new Model(sequence.model)];
    const [from, to] = [sequence.start, sequence.start + DAYS_BACK * DAY_MS];
    const seen: Seen[] = [];
    let begun = 0;
    const isOver = () => versions.length > operations.length;
    const read = async (): Promise<void> => {
      for (let turn = 0; !isOver(); turn++) {
        const id = sequence.monitors[turn % MONITORS] ?? '';
        const path = turn % 3 === 2 ? statusPath(id) : daysPath(id, from, to);
        const [complete, asked] = [versions.length - 1, Date.now()];
        const text = await (path === statusPath(id) ? statusOf(path) : daysOf(path));
        seen.push({ id, path, text, complete, begun, times: [asked, Date.now()] });
      }
    };
    const write = async (): Promise<void> => {
      for (const operation of operations) {
        begun++;
        await sequence.apply(operation);
        versions.push(new Model(sequence.model));
      }
    };
    await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
    await sequence.compareAll();
    const known = new Map<string, string>();
    const daysAt = (version: number, id: string): string => {
      const key = `${version} ${id}`;
      const text = known.get(key) ?? versions[version]?.linesOf(id, from, to, to).join('\n') ?? '';
      known.set(key, text);
      return text;
    };
    const textsAt = (version: number, { id, path, times }: Seen): string[] =>
      path === statusPath(id)
        ? times.map((now) => textOf(versions[version]?.statusNow(id, now) ?? never()))
        : [daysAt(version, id)];
    count += seen.length;
    return seen.filter((one) => {
      for (let version = one.complete; version <= one.begun; version++)
        if (textsAt(version, one).includes(one.text)) return false;
      return true;
    });
  }
});

describe('concurrent writes to the same monitors', () => {
  it('return the result of sequential writes, with and without cached days', async () => {
    const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
    const at = (hours: number): string => new Date(start + hours * 3_600_000).toISOString();
    const send = async <B>(method: string, path: string, json: object): Promise<B> => {
      const { status, text, body } = await server.ask<B>(path, { method, key: tenant.key, json });
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      return body;
    };
    const { project_id } = tenant;
    const said = (ids: string[], index: number) =>
      ids.map((monitor_id, place) => ({
        monitor_id,
        status: REPORTED[(index + place) % 4] ?? 'operational',
      }));

    for (let round = 0; round < ROUNDS; round++) {
      const ids = await server.monitors(tenant, 3);
      const named = { title: 'Title', project_id };
      const incident = (
        await send<One<Incident>>('POST', '/v1/incidents', {
          ...named,
          body: 'Body',
          started_at: at(20),
          monitors: said(ids, 2),
        })
      ).data.id;
      const maintenance = (
        await send<One<Maintenance>>('POST', '/v1/maintenances', {
          ...named,
          starts_at: at(22),
          ends_at: at(26),
          monitor_ids: ids,
        })
      ).data.id;
      // At some times, both writers report the same monitor with different statuses.
      const batches = [0, 1].map((writer) =>
        ids.flatMap((monitor_id, place) =>
          Array.from({ length: 6 }, (_, index) => ({
            monitor_id,
            status: REPORTED[(index + place + writer + round) % 4] ?? 'operational',
            observed_at: at(index * (writer + 2) * 2),
          })),
        ),
      );
      const update = (index: number) =>
        send('POST', `/v1/incidents/${incident}/updates`, {
          status: index === 2 ? 'resolved' : 'identified',
          body: 'Body',
          posted_at: at(30),
          monitors: said(ids.slice(index % 2), index + round),
        });
      await Promise.all([
        ...batches.map((reports) => send('POST', '/v1/monitor-reports', { project_id, reports })),
        ...[0, 1, 2].map(update),
        ...[10, 15].map((hours) =>
          send('PATCH', `/v1/incidents/${incident}`, { started_at: at(hours + (round % 3)) }),
        ),
        ...[0, 1].map((index) =>
          send('PATCH', `/v1/maintenances/${maintenance}`, {
            starts_at: at(4 + 20 * index),
            ends_at: at(9 + 20 * index),
            monitor_ids: ids.slice(index),
          }),
        ),
        ...ids.map((id) => daysOf(daysPath(id, start, start + 3 * DAY_MS))),
      ]);
      // Incidents and maintenance windows have the state of their last write. Reports can have been applied in
      // either order.
      const models = [batches, batches.toReversed()].map((order) => {
        const model = new Model();
        for (const id of ids) model.addMonitor(id, Date.now());
        for (const { monitor_id, status, observed_at } of order.flat())
          model.report(monitor_id, status, Date.parse(observed_at));
        return model;
      });
      await addIncident(models, incident);
      await addMaintenance(models, maintenance);
      const expected = models.map((model) =>
        ids.map((id) => model.linesOf(id, start, start + 3 * DAY_MS, Date.now()).join('\n')),
      );
      const found = () => Promise.all(ids.map((id) => daysOf(daysPath(id, start, start + 3 * DAY_MS))));
      expect(expected).toContainEqual(await found());
      await server.sql('DELETE FROM monitor_days WHERE monitor_id = ANY ($1)', [ids]);
      expect(expected).toContainEqual(await found());
      for (const id of ids) {
        const status = await statusOf(statusPath(id));
        expect(models.map((model) => textOf(model.statusNow(id, Date.now())))).toContain(status);
      }
    }
  }, 600_000);

  async function addIncident(models: Model[], id: string): Promise<void> {
    const { started_at } = await get<Incident>(`/v1/incidents/${id}`);
    const listed = await get<IncidentUpdate[]>(`/v1/incidents/${id}/updates?limit=100`);
    const updates = listed.toReversed().map((one) => ({
      id: one.id,
      posted_at: Date.parse(one.posted_at),
      status: one.status,
      monitors:
        one.monitors &&
        new Map(one.monitors.map(({ monitor_id, status }): [string, Reported] => [monitor_id, status])),
    }));
    for (const model of models) model.incidents.set(id, { started_at: Date.parse(started_at), updates });
  }

  async function addMaintenance(models: Model[], id: string): Promise<void> {
    const { starts_at, ends_at, monitor_ids } = await get<Maintenance>(`/v1/maintenances/${id}`);
    const window = { starts_at: Date.parse(starts_at), ends_at: Date.parse(ends_at) };
    const open = { closed_as: null, closed_at: null };
    for (const model of models)
      model.maintenances.set(id, { ...window, ...open, monitor_ids: new Set(monitor_ids) });
  }
});

describe('DaysService', () => {
  it('reads stored days, and returns the same days after they are deleted', async () => {
    const queue = new ReportQueue(server, tenant);
    const run = async (operations: Operation[]): Promise<Sequence> => {
      const sequence = new Sequence(server, tenant, queue);
      await sequence.run(operations);
      return sequence;
    };
    const all = await Promise.all(writes(ROUNDS).map(run));
    const answers = () =>
      Promise.all(
        all.flatMap(({ monitors, start }) =>
          monitors.map((id) => daysOf(daysPath(id, start - 2 * DAY_MS, start + DAYS_BACK * DAY_MS))),
        ),
      );
    const forgetRows = () => server.sql('DELETE FROM monitor_days');
    const forgetValidity = () => server.sql('UPDATE monitor_states SET closed_before = NULL');
    const before = await answers();
    for (const forget of [[forgetRows], [forgetValidity], [forgetRows, forgetValidity]]) {
      await server.sql('UPDATE monitor_days SET unknown = operational, operational = unknown');
      expect(await answers()).not.toEqual(before);
      for (const one of forget) await one();
      expect(await answers()).toEqual(before);
    }
  }, 600_000);

  /** Creates a monitor. Returns it with functions to report it and to read its days. Times are in days before today. */
  async function monitorWithDays(count: number) {
    const { project_id, key } = tenant;
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const report = async (status: Reported, daysAgo: number): Promise<void> => {
      const reports = [{ monitor_id, status, observed_at: new Date(today - daysAgo * DAY_MS) }];
      const json = { project_id, reports };
      expect((await server.ask('/v1/monitor-reports', { method: 'POST', key, json })).status).toBe(200);
    };
    const days = async (): Promise<string[]> =>
      (await daysOf(daysPath(monitor_id, today - count * DAY_MS, today))).split('\n').slice(1);
    return { monitor_id, report, days };
  }

  it('keeps invalid days invalid after further reports', async () => {
    const { report, days } = await monitorWithDays(3);
    await report('operational', 3);
    const before = await days();
    await server.sql('UPDATE monitor_days SET unknown = operational, operational = 0');
    await server.sql('UPDATE monitor_states SET closed_before = NULL');
    await report('major_outage', 1);
    expect((await days()).slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('recomputes days from the new end of a run that a late report splits', async () => {
    const { monitor_id, report, days } = await monitorWithDays(4);
    await report('operational', 4);
    await report('operational', 1);
    const json = { stale_after_seconds: 60 };
    await server.ask(`/v1/monitors/${monitor_id}`, { method: 'PATCH', key: tenant.key, json });
    const before = await days();
    await report('major_outage', 1.5);
    const after = await days();
    expect(after[0]).not.toBe(before[0]);
    await server.sql('DELETE FROM monitor_days');
    expect(await days()).toEqual(after);
  });
});

function never(): never {
  throw new Error('no such version');
}
