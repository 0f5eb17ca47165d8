import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { EventsService } from '../../src/events/events.service.js';
import type { EventType } from '../../src/events/event-types.js';
import { actorIn } from '../support/actors.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsWithValuesOf } from '../support/statements.js';
import { useEvents } from './use-events.js';

const WRITE: EventType = 'status_page.updated';
const STATUS: EventType = 'monitor.status_changed';

describe.each([
  { days: undefined, kept: { [WRITE]: 400, [STATUS]: 90 } },
  { days: '60', kept: { [WRITE]: 60, [STATUS]: 60 } },
])('with EVENTS_KEPT_DAYS=$days, an event', ({ days: EVENTS_KEPT_DAYS, kept }) => {
  const server = useTestServer(EVENTS_KEPT_DAYS === undefined ? undefined : { EVENTS_KEPT_DAYS });
  const tenant = useTenant(server);
  const { stored } = useEvents(server, tenant);

  /** Records events that happened some days ago. Returns their resources. */
  async function record(events: [type: EventType, days: number][]): Promise<string[]> {
    const { organization_id, project_id } = tenant;
    const ids = events.map(() => randomUUID());
    const rows = events.map(([type, days], index) => ({
      organization_id,
      project_id,
      actor: actorIn(organization_id),
      type,
      resource_id: ids[index] ?? '',
      planned_at: new Date(Date.now() - days * 86_400_000),
    }));
    const recorder = server.app.get(EventsService);
    await server.app.get(DataSource).transaction((manager) => recorder.record(rows, manager));
    return ids;
  }

  it.each(Object.entries(kept))('expires, if its type is %s, after %s days', async (type, days) => {
    const of = type === STATUS ? STATUS : WRITE;
    const ids = await record([
      [of, days + 0.01],
      [of, days - 0.01],
    ]);
    expect(await server.app.get(EventsService).deleteOld()).toBe(false);
    const left = await Promise.all(ids.map(async (id) => (await stored(id)).length));
    expect(left).toEqual([0, 1]);
  });

  it('costs the cleanup nothing until it expires', async () => {
    await record(Array.from({ length: 300 }, (_, index) => [index % 2 === 0 ? WRITE : STATUS, 1]));
    await server.vacuum('events');
    const statements = await statementsWithValuesOf(() => server.app.get(EventsService).deleteOld());
    const deletions = statements.filter(({ text }) => /DELETE FROM events/.test(text));
    expect(deletions).toHaveLength(2);
    for (const { text, values } of deletions) {
      const [row] = await server.sql<{ 'QUERY PLAN': object[] }[]>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const plan = JSON.stringify(row);
      expect(plan).not.toContain('Seq Scan');
      expect(plan).toMatch(/"Index Name":"events_(pkey|status_changes_idx)"/);
      expect(Number(/"Shared Hit Blocks":(\d+)/.exec(plan)?.[1])).toBeLessThan(20);
    }
  });
});
