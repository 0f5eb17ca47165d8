import { describe, expect, it } from 'vitest';
import { until } from '../support/server.js';
import { useCli } from './use-cli.js';

const { call, list } = useCli();

describe('cli migrate', () => {
  it.each([['--dry-run'], []])('%s changes nothing on a migrated database', async (...options) => {
    expect(await call('migrate', ...options)).toEqual({ dry_run: options.length > 0, migrations: [] });
  });
});

describe('CLI commands', () => {
  it('create an organization, a project, a monitor and a working key', async () => {
    const organization = await call('organization', 'create', '--name', 'Acme');
    const project = await call(
      'project',
      'create',
      '--name',
      'Shop',
      '--organization',
      String(organization['id']),
    );
    expect(project).toMatchObject({ name: 'Shop', organization_id: organization['id'] });
    const monitor = await call('monitor', 'create', '--project', String(project['id']), '--name', 'API');
    expect(monitor).toMatchObject({
      name: 'API',
      project_id: project['id'],
      organization_id: organization['id'],
    });

    const created = await call(
      'api-key',
      'create',
      '--name',
      'CI',
      '--scope',
      'status_pages:read',
      '--project',
      String(project['id']),
    );
    expect(created).toMatchObject({
      name: 'CI',
      scopes: ['status_pages:read'],
      organization_id: organization['id'],
      project_ids: [project['id']],
      expires_at: null,
    });
    expect(Object.keys(created).slice(0, 2)).toEqual(['id', 'key']);
    expect(await list(project['id'], created['key'])).toMatchObject({ status: 200, body: { data: [] } });

    const revoked = await call('api-key', 'revoke', String(created['id']));
    expect(revoked).toEqual({ id: created['id'], revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    // The server is another process and can cache the key briefly.
    await until(async () => (await list(project['id'], created['key'])).status === 401);
    expect(await call('api-key', 'revoke', String(created['id']))).toEqual(revoked);
  });

  it('use the default organization and accept several scopes and an expiry', async () => {
    const project = await call('project', 'create', '--name', 'Default');
    const scopes = ['--scope', 'status_pages:read', '--scope', 'status_pages:write'];
    const key = await call('api-key', 'create', '--name', 'K', ...scopes, '--expires-in', '3600');
    expect(key['scopes']).toEqual(['status_pages:read', 'status_pages:write']);
    expect(Date.parse(String(key['expires_at'])) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(String(key['expires_at'])) - Date.now()).toBeLessThan(3_600_001);
    expect((await list(project['id'], key['key'])).status).toBe(200);
  });

  it('create the demo organization with monitors, status pages and a key', async () => {
    const demo = await call('demo', '--pages', '3');
    expect(Object.keys(demo)).toEqual([
      'organization_id',
      'project_id',
      'monitor_ids',
      'status_page_ids',
      'slug',
      'key',
    ]);
    const { body } = await list(demo['project_id'], demo['key']);
    expect(body.data.map(({ id }) => id)).toEqual(demo.status_page_ids.toReversed());
    const shown = body.data.flatMap(({ sections }) => sections.flatMap(({ monitor_ids }) => monitor_ids));
    expect([...new Set(shown)].toSorted()).toEqual(demo.monitor_ids.toSorted());
  });
});
