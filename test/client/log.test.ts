import { beforeAll, describe, expect, it } from 'vitest';
import type { Event, StatusPage, StatusPagesClient } from '../../clients/typescript/src/index.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useCommand } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

let client: StatusPagesClient;
let acme: StatusPage;
let other: StatusPage;

beforeAll(async () => {
  client = server.client(tenant.key);
  acme = await client.statusPages.create({ project_id: tenant.project_id, name: 'Acme' });
  const { id: project_id } = await client.projects.create({ name: 'Other' });
  other = await client.statusPages.create({ project_id, name: 'Other' });
});

/** The status pages in the output of a call. */
const pagesIn = async (...parameters: string[]): Promise<string[]> =>
  (await json<Event[]>('log', '--type', 'status_page.created', ...parameters)).map(
    ({ resource_id }) => resource_id,
  );

describe('status-pages log', () => {
  it('lists the changes of all projects, and of one', async () => {
    expect(await pagesIn()).toEqual([other.id, acme.id]);
    expect(await pagesIn('--project', 'Other')).toEqual([other.id]);
    const [header, first] = (await prints('log', '--type', 'status_page.created')).split('\n');
    expect(header?.split(/ {2,}/)).toEqual(['TIME', 'TYPE', 'ACTOR', 'VIA', 'RESOURCE', 'CHANGED']);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(first?.split(/ {2,}/)).toEqual([time, 'status_page.created', 'Key', 'api', other.id, '-']);
  });

  it('names the fields that a write has changed', async () => {
    const monitor = await client.monitors.create({ project_id: acme.project_id, name: 'API' });
    await client.monitors.update(monitor.id, { name: 'Web API', description: 'All requests' });
    const [, changed] = (await prints('log', '--resource', monitor.id)).split('\n');
    expect(changed?.split(/ {2,}/).at(-1)).toBe('name, description');
  });

  it('filters by actor, resource and time', async () => {
    expect(await pagesIn('--actor', tenant.key_id, '--resource', acme.id)).toEqual([acme.id]);
    expect(await pagesIn('--actor', acme.id)).toEqual([]);
    expect(await pagesIn('--from', '2020-01-01', '--to', '2020-01-02')).toEqual([]);
    expect(await prints('log', '--to', '2020-01-02')).toBe('No event matches.\n');
    expect(await fails(2, {}, 'log', '--actor', 'me')).toContain('It must be an ID.');
    expect(await fails(1, {}, 'log', '--type', 'page.made')).toContain('type ');
  });

  it('prints names without control characters', async () => {
    const name = '\u001B[31mred\u202Eder';
    const { key } = await client.apiKeys.create({ name, scopes: ['status_pages:write'] });
    const page = await server.client(key).statusPages.create({ project_id: acme.project_id, name: 'Page' });
    const text = await prints('log', '--resource', page.id);
    expect(text).toContain('   [31mred der  ');
    expect(text).not.toContain('\u202E');
    expect(text).not.toContain('\u001B');
  });
});
