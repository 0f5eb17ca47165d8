import { describe, expect, it } from 'vitest';
import type { Check, CheckRun } from '../../clients/typescript/src/index.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useCommand } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

describe('status-pages check', () => {
  it('adds, lists, runs and removes the check of a monitor', async () => {
    await prints('monitor', 'add', 'Web', '--key', 'web');
    const options = [
      '--contains',
      'Sign in',
      '--every',
      '5m',
      '--failures',
      '3',
      '--on-failure',
      'partial_outage',
    ];
    const added = await prints('check', 'add', 'web', 'http://localhost/', ...options);
    expect(added).toMatch(/target +http:\/\/localhost\//);
    const [check] = await json<Check[]>('check', 'list');
    expect(check).toMatchObject({
      type: 'http',
      body_contains: 'Sign in',
      interval_seconds: 300,
      failures: 3,
      status_on_failure: 'partial_outage',
    });
    expect(await prints('check', 'list')).toContain('every 300 s');
    expect(await prints('check', 'run', 'web')).toContain('the address is not public');
    expect(await json<CheckRun>('check', 'run', 'web')).toMatchObject({ status_code: null });
    expect(await prints('check', 'remove', 'web')).toContain('http://localhost/');
    expect(await fails(1, {}, 'check', 'run', 'web')).toContain('Monitor "web" has no check.');
  });

  it('shows the error of a target that does not fit the type', async () => {
    await prints('monitor', 'add', 'Database', '--key', 'db');
    expect(await fails(1, {}, 'check', 'add', 'db', 'db.example.com', '--type', 'tcp')).toContain(
      'must be a host and a port',
    );
  });
});
