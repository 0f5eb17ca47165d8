import { describe, expect, it } from 'vitest';
import type { Check, CheckRun, IncidentDraft } from '../../clients/typescript/src/index.js';
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

describe('status-pages draft', () => {
  it('lists, publishes and discards drafts of a monitor with a template', async () => {
    const { project_id } = tenant;
    const client = server.client(tenant.key);
    await client.incidentTemplates.create({ project_id, name: 'Outage', title: 'The shop is closed' });
    await prints('monitor', 'add', 'Shop', '--key', 'shop', '--draft-template', 'Outage');
    expect(await prints('draft', 'list')).toContain('The project has no drafts.');
    expect(await fails(1, {}, 'draft', 'publish')).toContain('The project has no draft.');
    await prints('report', 'shop=major_outage');
    const [draft] = await json<IncidentDraft[]>('draft', 'list');
    expect(draft?.title).toBe('The shop is closed');
    expect(await prints('draft', 'publish', '--dry-run')).toContain('Dry run: nothing was changed or sent.');
    expect(await prints('draft', 'publish')).toMatch(/title +The shop is closed/);
    const other = await client.incidentDrafts.create({ project_id, title: 'One' });
    await client.incidentDrafts.create({ project_id, title: 'Two' });
    expect(await fails(2, {}, 'draft', 'discard')).toContain(`${other.id}  One`);
    expect(await prints('draft', 'discard', other.id)).toContain(other.id);
    expect((await json<IncidentDraft[]>('draft', 'list')).map(({ title }) => title)).toEqual(['Two']);
  });
});
