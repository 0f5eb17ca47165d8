import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Demo, DemoService } from '../../src/demo/demo.service.js';
import { MonitorsService } from '../../src/monitors/monitors.service.js';
import type { Actor } from '../../src/platform/auth/actor.js';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { StatusPagesService } from '../../src/status-pages/status-pages.service.js';
import { type One, useTenant, useTestServer, type Wire } from '../support/server.js';
import type { NewApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import { sectionsOf, useRevisions } from './use-revisions.js';

/** Text that does harm where it is interpreted: markup, a terminal sequence, a bell, a reversed direction, and JSON. */
const HOSTILE = '</script><img src=x onerror=alert(1)>\u001b[31m\u0007\u202e","type":"system';
const MEMBER_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a02';

const server = useTestServer();
let demo: Demo | null = null;
beforeAll(async () => {
  demo = await server.app.get(DemoService).createIfEmpty(1); // before the tenant, because it needs an empty database
});
const tenant = useTenant(server);
const { list, get, remove } = useRevisions(server, tenant);

const member = (name: string): Actor => ({
  type: 'member',
  id: MEMBER_ID,
  name,
  organization_id: tenant.organization_id,
  project_ids: null,
  scopes: [...SCOPES],
  via: 'console',
  request_id: null,
});

/** Creates a key over HTTP, and a page with it. */
async function pageByNewKey(name: string): Promise<{ key: Wire<NewApiKeyDto>; id: string }> {
  const keys = { method: 'POST', key: tenant.key, json: { name, scopes: ['status_pages:write'] } };
  const { data: key } = (await server.ask<One<Wire<NewApiKeyDto>>>('/v1/api-keys', keys)).body;
  const json = { project_id: tenant.project_id, name: 'Page' };
  const page = await server.ask<One<{ id: string }>>('/v1/status-pages', {
    method: 'POST',
    key: key.key,
    json,
  });
  expect(page.status).toBe(201);
  return { key, id: page.body.data.id };
}

/** The actor and the API key of the newest revision, in the list and alone. */
async function authorOf(page: string): Promise<{ actor: object; api_key: object | null }> {
  const [newest] = (await list(page)).body.data;
  const { actor, api_key } = (await get(page, newest?.number ?? 0)).body.data;
  expect({ actor: newest?.actor, api_key: newest?.api_key }).toEqual({ actor, api_key });
  return { actor, api_key };
}

describe('revision', () => {
  it('identifies the API key of the request, beside api_key', async () => {
    const { key, id } = await pageByNewKey('CI');
    const api_key = { id: key.id, name: 'CI' };
    expect(await authorOf(id)).toEqual({ actor: { type: 'api_key', ...api_key }, api_key });
  });

  it('contains the command that imports a page, without its arguments', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'secret-'));
    const file = join(directory, 'config.yaml');
    await writeFile(file, 'endpoints:\n  - name: API\n    url: https://user:secret@api.example.com\n');
    const { code, stdout } = await server.cli('import', 'gatus', file, '--project', tenant.project_id);
    await rm(directory, { recursive: true });
    expect(code).toBe(0);
    const { status_page_id }: { status_page_id: string } = JSON.parse(stdout);
    const actor = { type: 'command_line', id: null, name: 'cli import gatus' };
    expect(await authorOf(status_page_id)).toEqual({ actor, api_key: null });
  });

  it('contains the command that creates demo data', async () => {
    const { stdout } = await server.cli('demo', '--pages', '1');
    const { key, status_page_ids }: Demo = JSON.parse(stdout);
    const path = `/v1/status-pages/${status_page_ids[0]}/revisions/1`;
    const { body } = await server.ask<One<object>>(path, { key });
    const actor = { type: 'command_line', id: null, name: 'cli demo' };
    expect(body.data).toMatchObject({ actor, api_key: null });
  });

  it('contains the service itself for the demo data of a new database', async () => {
    const path = `/v1/status-pages/${demo?.status_page_ids[0]}/revisions/1`;
    const { body } = await server.ask<One<object>>(path, { key: demo?.key });
    const actor = { type: 'system', id: null, name: 'demo data' };
    expect(body.data).toMatchObject({ actor, api_key: null });
  });

  it('identifies the member who changes a page', async () => {
    const { id } = await server.page(tenant);
    await server.app.get(StatusPagesService).update(member('Ada'), id, { name: 'Second' }, undefined);
    const actor = { type: 'member', id: MEMBER_ID, name: 'Ada' };
    expect(await authorOf(id)).toEqual({ actor, api_key: null });
  });

  it('identifies the member who deletes a monitor of the page', async () => {
    const [monitor = ''] = await server.monitors(tenant, 1);
    const { id } = await server.page(tenant, { sections: sectionsOf(monitor) });
    await server.app.get(MonitorsService).delete(member('Grace'), monitor, undefined);
    expect(await authorOf(id)).toMatchObject({ actor: { type: 'member', name: 'Grace' }, api_key: null });
  });

  it('keeps the name of a key that was rotated, revoked and deleted', async () => {
    const { key, id } = await pageByNewKey('Deployment');
    const before = await authorOf(id);
    const rotation = { method: 'POST', key: tenant.key, json: { overlap_seconds: 0 } };
    expect((await server.ask(`/v1/api-keys/${key.id}/rotate`, rotation)).status).toBe(201);
    expect(await authorOf(id)).toEqual(before);
    await remove(`/v1/api-keys/${key.id}`);
    await server.sql(`DELETE FROM api_keys WHERE organization_id = $1 AND id = $2`, [
      tenant.organization_id,
      key.id,
    ]);
    expect(await authorOf(id)).toEqual(before);
    expect(before.actor).toMatchObject({ type: 'api_key', name: 'Deployment' });
  });

  it('returns a name with markup, control characters and a reversed direction as text', async () => {
    const { key, id } = await pageByNewKey(HOSTILE);
    expect(await authorOf(id)).toMatchObject({ actor: { type: 'api_key', id: key.id, name: HOSTILE } });
    const { text, headers } = await list(id);
    expect([...text].filter((character) => character < ' ')).toEqual([]);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    await server.app.get(StatusPagesService).update(member(HOSTILE), id, { name: 'Second' }, undefined);
    const actor = { type: 'member', id: MEMBER_ID, name: HOSTILE };
    expect(await authorOf(id)).toEqual({ actor, api_key: null });
  });

  it('contains no part of an API key', async () => {
    const { key, id } = await pageByNewKey('CI');
    const { text } = await list(id);
    expect(text).toContain(key.id);
    expect(text).not.toContain(key.key);
    expect(text).not.toContain(key.prefix);
  });
});

describe('a revision of the former version', () => {
  /** Removes what the former version does not write. */
  const forget = (id: string) =>
    server.sql(
      `UPDATE status_page_revisions SET actor_type = NULL, actor_id = NULL, actor_name = NULL WHERE status_page_id = $1`,
      [id],
    );

  it('shows the API key as its actor', async () => {
    const { key, id } = await pageByNewKey('CI');
    await forget(id);
    const api_key = { id: key.id, name: 'CI' };
    expect(await authorOf(id)).toEqual({ actor: { type: 'api_key', ...api_key }, api_key });
  });

  it('shows the command line as its actor if it has no key', async () => {
    const { id } = await server.page(tenant);
    await forget(id);
    const actor = { type: 'command_line', id: null, name: 'cli' };
    expect(await authorOf(id)).toEqual({ actor, api_key: null });
  });

  it('remains readable by that version if a key has made it', async () => {
    const { key, id } = await pageByNewKey('CI');
    expect(
      await server.sql(
        `SELECT api_key_id, api_key_name FROM status_page_revisions WHERE status_page_id = $1`,
        [id],
      ),
    ).toEqual([{ api_key_id: key.id, api_key_name: 'CI' }]);
  });
});
