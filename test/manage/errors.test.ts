import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { passTime } from '../support/clock.js';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

afterEach(() => vi.restoreAllMocks());

const OUTAGE = `
  CREATE FUNCTION outage() RETURNS boolean STABLE LANGUAGE plpgsql
    AS $$ BEGIN RAISE SQLSTATE '57014' USING MESSAGE = 'canceling statement due to statement timeout'; END $$`;

/** Makes a table unavailable while `action` runs. */
async function without<Result>(table: string, action: () => Promise<Result>): Promise<Result> {
  await server.sql(`ALTER TABLE ${table} RENAME TO kept_rows`);
  await server.sql(`CREATE VIEW ${table} AS SELECT * FROM kept_rows WHERE outage()`);
  try {
    return await action();
  } finally {
    await server.sql(`DROP VIEW ${table}`);
    await server.sql(`ALTER TABLE kept_rows RENAME TO ${table}`);
  }
}

beforeAll(() => server.sql(OUTAGE));
afterAll(() => server.sql('DROP FUNCTION outage'));

it('an outage is logged as one, with one stack in ten seconds', async () => {
  const { get } = await person(tenant);
  await passTime(10_000); // another test can have logged one
  const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
  const statuses = await without('deliveries', async () => [
    (await get('/manage')).status,
    (await get('/manage')).status,
  ]);
  expect(statuses).toEqual([503, 503]);
  const lines = error.mock.calls.map((line): unknown[] => line);
  const fields = { request_id: expect.any(String), error_code: 'unavailable' };
  const message = 'request failed: service unavailable';
  expect(lines.filter(([, text]) => text !== 'request completed')).toEqual([
    [{ ...fields, err: expect.any(Error) }, message],
    [{ ...fields, reason: expect.stringContaining('statement timeout') }, message],
  ]);
  expect((await get('/manage')).status).toBe(200);
});

describe('a form that fails with 503', () => {
  it.each(['projects', 'member_sessions'])(
    'keeps its text, and publishes once when it is sent again: without the table %s',
    async (table) => {
      const { project_id } = tenant;
      const one = await person(tenant, 'responder');
      await one.get('/manage');
      const fields = {
        project_id,
        title: `Kept <${table}>`,
        body: 'A long text',
        status: 'investigating',
        notify: 'on',
      };
      const reviewed = await one.post('/manage/incidents', { ...fields, step: 'review' });
      expect(reviewed.status).toBe(200);
      const published = { ...hiddenIn(reviewed), step: 'publish' };
      const failed = await without(table, () => one.post('/manage/incidents', published));
      expect([failed.status, failed.text]).toEqual([503, expect.stringContaining('Send it again')]);
      expect(failed.text).toContain(`Kept &lt;${table}>`);
      expect(hiddenIn(failed)).toEqual({ ...published, token: expect.any(String) });
      for (let sent = 0; sent < 2; sent++)
        expect((await one.post('/manage/incidents', hiddenIn(failed))).status).toBe(303);
      const found = await server.sql('SELECT FROM incidents WHERE title = $1', [fields.title]);
      expect(found).toHaveLength(1);
    },
  );

  it('repeats no password', async () => {
    const one = await person(tenant, 'responder');
    await one.post('/manage/account'); // gets the token of its form
    const fields = { present_password: 'the present one', new_password: 'a much longer one' };
    const failed = await without('members', () => one.post('/manage/account', fields));
    expect([failed.status, failed.text]).toEqual([503, expect.not.stringContaining('longer one')]);
  });
});
