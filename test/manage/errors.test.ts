import type { Logger } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

afterEach(() => vi.restoreAllMocks());

it('an outage is logged as one, with one stack in ten seconds', async () => {
  const { get } = await person(tenant);
  await server.sql(`
    CREATE FUNCTION outage() RETURNS boolean STABLE LANGUAGE plpgsql
      AS $$ BEGIN RAISE SQLSTATE '57014' USING MESSAGE = 'canceling statement due to statement timeout'; END $$`);
  await server.sql('ALTER TABLE deliveries RENAME TO kept_deliveries');
  await server.sql('CREATE VIEW deliveries AS SELECT * FROM kept_deliveries WHERE outage()');
  const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
  const statuses = [(await get('/manage')).status, (await get('/manage')).status];
  await server.sql('DROP VIEW deliveries');
  await server.sql('ALTER TABLE kept_deliveries RENAME TO deliveries');
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
