import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { onPostgres } from '../support/database.js';
import { type ListPage, until } from '../support/server.js';
import { useCli } from './use-cli.js';

const { server, call, expectFault, listed } = useCli();

describe('CLI without a lost ID or key', () => {
  it('lists organizations, projects, monitors and keys, newest first', async () => {
    const { id: organization = '' } = await call('organization', 'create', '--name', 'Lists');
    const of = ['--organization', organization];
    const made: Record<string, unknown>[] = [];
    for (const name of ['a', 'b', 'c']) made.unshift(await call('project', 'create', '--name', name, ...of));
    const project = String(made[0]?.['id']);
    const monitor = await call('monitor', 'create', '--project', project, '--name', 'API');

    const organizations = await listed(100, 'organization', 'list');
    expect(organizations[0]).toMatchObject({ id: organization, name: 'Lists' });
    expect(organizations.at(-1)).toMatchObject({ name: 'Default' });
    const projects = await listed(2, 'project', 'list', ...of);
    expect(projects.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(projects.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    const monitors = await listed(100, 'monitor', 'list', '--project', project);
    expect(monitors).toEqual([
      expect.objectContaining({ id: monitor['id'], name: 'API', project_id: project }),
    ]);
  });

  it('lists the prefix of each key and revokes by prefix or ID', async () => {
    const { id: organization = '' } = await call('organization', 'create', '--name', 'Keys');
    const of = ['--organization', organization];
    const first = await call('api-key', 'create', '--name', 'first', '--all-scopes', ...of);
    const second = await call('api-key', 'create', '--name', 'second', '--scope', 'projects:read', ...of);
    expect(first['scopes']).toEqual(SCOPES);
    const key = String(first['key']);
    const keys = await listed(100, 'api-key', 'list', ...of);
    expect(keys).toMatchObject([
      { id: second['id'], name: 'second', revoked_at: null },
      { id: first['id'], name: 'first', revoked_at: null, prefix: key.slice(0, 8) },
    ]);
    expect(JSON.stringify(keys)).not.toContain(key.slice(0, 9));

    const me = () => fetch(`${server.url}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect((await me()).status).toBe(200);
    const revoked = await call('api-key', 'revoke', key.slice(0, 8));
    expect(revoked).toEqual({ id: first['id'], revoked_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    await until(async () => (await me()).status === 401);
    await expectFault(/no active API key begins with sp_/, 'api-key', 'revoke', key.slice(0, 8));
  });

  it('rejects an ambiguous prefix and lists the matching keys', async () => {
    const keys = [
      await call('api-key', 'create', '--name', 'x', '--all-scopes'),
      await call('api-key', 'create', '--name', 'y', '--all-scopes'),
    ];
    const client = new Client(
      onPostgres
        ? server.env['DATABASE_URL']
        : {
            host: (await openEmbedded(String(server.env['DATA_DIR']), 'client')).socketDir,
            user: 'postgres',
            database: 'postgres',
          },
    );
    await client.connect();
    await client.query(`UPDATE api_keys SET prefix = 'sp_same0' WHERE id = ANY($1)`, [
      keys.map(({ id }) => id),
    ]);
    await client.end();
    const named = new RegExp(keys.map(({ id }) => `(?=.*${id})`).join(''));
    await expectFault(named, 'api-key', 'revoke', 'sp_same0');
    const all = await call<ListPage<Record<string, unknown>>>('api-key', 'list');
    const found = all.data.filter(({ prefix }) => prefix === 'sp_same0');
    expect(found.map(({ revoked_at }) => revoked_at)).toEqual([null, null]);
  });
});
