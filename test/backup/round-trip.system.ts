import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OIDC_SECRET } from '../../src/access/oidc-secret.js';
import { EndpointRecipients } from '../../src/webhooks/endpoint-recipients.js';
import { MIGRATIONS } from '../../src/platform/database/migrations/index.js';
import { EXAMPLE_IDS } from '../../src/platform/openapi/example-ids.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { make, type Row, resourceOf } from '../support/resources.js';
import {
  type Ask,
  type One,
  type ListPage,
  TestServer,
  until,
  useTenant,
  useTestServer,
} from '../support/server.js';
import { call, checksumsOf, type DatabaseEnv, onDatabase, useBackups } from './use-backups.js';

const CLIENT_SECRET = 'secret of the client';

const server = useTestServer();
const tenant = useTenant(server);
const backups = useBackups();

const secondNow = () => Math.floor(Date.now() / 1_000);

describe('backup of a running server, restored into another database', () => {
  let restored: TestServer;
  let demoKey: string;
  let page: string;
  let deleted: string;
  let cursor: string;
  const found = { before: {}, after: {}, tables: [''], mode: 0, left: [''], migration: '' };
  const once: Ask = { method: 'POST', json: { name: 'Once' }, headers: { 'Idempotency-Key': 'once' } };

  beforeAll(async () => {
    const { stdout } = await server.cli('demo', '--pages', '60');
    ({ key: demoKey } = JSON.parse(stdout));
    const own = { key: tenant.key };
    page = (await make(server, tenant, resourceOf('status_pages'))).id;
    await server.patch(tenant, page, { name: 'A "name" \\ \n\u2028 \\N null', accent_color: '#000000' });
    await server.ask(`/v1/status-pages/${page}/settings`, {
      ...own,
      method: 'PATCH',
      json: { slug: 'renamed' },
    });
    deleted = (await make(server, tenant, resourceOf('status_pages'))).id;
    await server.ask(`/v1/status-pages/${deleted}`, { ...own, method: 'DELETE' });
    await server.ask(`/v1/status-pages/${page}/preview-links`, { ...own, method: 'POST', json: {} });
    const oidc = { issuer: 'https://login.acme.example', client_id: 'page', client_secret: CLIENT_SECRET };
    const rules = { password: 'correct horse', email_domains: ['acme.example'], oidc };
    await server.ask(`/v1/status-pages/${page}/access`, { ...own, method: 'PUT', json: rules });
    await server.sql(
      `INSERT INTO access_email_tokens (token_hash, organization_id, status_page_id, email, expires_at)
       VALUES ('\\x00', $1, $2, 'ada@acme.example', now())`,
      [tenant.organization_id, page],
    );
    await server.ask('/v1/projects', { ...once, ...own });
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [
      EXAMPLE_IDS.other_status_page,
    ]);
    const { body } = await server.ask<ListPage<Row>>(`${demoPages}&limit=7`, { key: demoKey });
    cursor = String(body.pagination.next_cursor);
    await server.ask(`/v1/status-pages/${EXAMPLE_IDS.status_page}/summary`, { key: demoKey }); // closes days

    const target = await backups.database();
    const path = backups.path();
    await until(async () => {
      const before = await checksumsOf((statement) => server.sql(statement));
      const { migration } = await call(server.env, 'backup', path, '--force');
      const after = await checksumsOf((statement) => server.sql(statement));
      Object.assign(found, { before, migration });
      return JSON.stringify(before) === JSON.stringify(after); // the server saves the last use of a key
    });
    found.mode = (await stat(path)).mode;
    found.left = await readdir(dirname(path));
    const lines = gunzipSync(await readFile(path))
      .toString()
      .split('\n');
    found.tables = lines.flatMap((line) => /^\{"table":"(\w+)"/.exec(line)?.[1] ?? []);
    await call(target, 'restore', path, '--keep-deliveries');
    found.after = await onDatabase(target, (database) =>
      checksumsOf((statement) => database.query(statement)),
    );
    restored = await TestServer.start({ ...target });
  });
  afterAll(() => restored.stop());

  const demoPages = `/v1/status-pages?project_id=${EXAMPLE_IDS.project}`;

  /** The responses of both servers, from the same second, because they contain the seconds of today until now. */
  async function bothAnswer(path: string, ask: Ask): Promise<object[]> {
    for (;;) {
      const second = secondNow();
      const answers = await Promise.all([server, restored].map((one) => one.ask(path, ask)));
      if (secondNow() === second)
        return answers.map(({ status, text, headers }) => ({ status, text, etag: headers.get('etag') }));
    }
  }

  /** Tables that no operation writes yet. */
  const UNUSED = [
    'access_email_requests',
    'confirmation_mails',
    'deferred_status_changes',
    'erased_subscribers',
    'member_link_requests',
    'member_links',
    'member_passkeys',
    'member_sessions',
    'response_samples',
    'subscription_requests',
  ];

  it('contains each row of each table, and each table contains rows', () => {
    expect(found.after).toEqual(found.before);
    const empty = Object.entries(found.before).filter(([, sums]) =>
      JSON.stringify(sums).includes('"rows":0'),
    );
    expect(empty.map(([table]) => table).toSorted()).toEqual(UNUSED);
  });

  it('contains the tables of all entities in the order of their references', async () => {
    const names = server.app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);
    expect(found.tables).toEqual(expect.arrayContaining(names));
    const places = (table: string) => found.tables.indexOf(table);
    expect(places('monitor_runs')).toBeGreaterThan(places('monitor_states'));
    expect(places('monitor_states')).toBeGreaterThan(places('monitors'));
  });

  it('creates one file that only its owner can read', () => {
    expect([found.mode & 0o777, found.left]).toEqual([0o600, ['backup']]);
  });

  it.each([
    ['a list', demoPages],
    ['a status page with its ETag', `/v1/status-pages/${EXAMPLE_IDS.status_page}`],
    ['the days and the uptime', `/v1/monitors/${EXAMPLE_IDS.monitor}/days`],
    ['the incidents', `/v1/incidents?project_id=${EXAMPLE_IDS.project}`],
    ['the maintenance windows', `/v1/maintenances?project_id=${EXAMPLE_IDS.project}`],
  ])('returns the same responses as the first server: %s', async (_what, path) => {
    const [first, second] = await bothAnswer(path, { key: demoKey });
    expect(first).toMatchObject({ status: 200 });
    expect(second).toEqual(first);
  });

  it('decrypts the secret of a webhook endpoint with the key in the backup', async () => {
    const secretsOf = async (one: TestServer) => {
      const [endpoint] = await one.app.get(EndpointRecipients).find([EXAMPLE_IDS.webhook_endpoint]);
      return endpoint?.secrets;
    };
    expect(await secretsOf(restored)).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(await secretsOf(restored)).toEqual(await secretsOf(server));
  });

  it('decrypts the client secret of a private page with the key in the backup', async () => {
    const [rules] = await restored.sql<{ oidc_client_secret: Buffer }[]>(
      'SELECT oidc_client_secret FROM status_page_access WHERE status_page_id = $1',
      [page],
    );
    const secret = rules && restored.app.get(SecretsService).decrypt(OIDC_SECRET, rules.oidc_client_secret);
    expect(secret).toBe(CLIENT_SECRET);
  });

  it('returns the same pictures as the first server', async () => {
    const path = `/v1/status-pages/${EXAMPLE_IDS.status_page}/branding`;
    const { body } = await restored.ask<One<{ logo: { url: string } }>>(path, { key: demoKey });
    const [first, second] = await bothAnswer(new URL(body.data.logo.url).pathname, {});
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('<svg ') });
    expect(second).toEqual(first);
  });

  it('continues a cursor, revisions and deleted pages', async () => {
    const paths = [`${demoPages}&limit=7&cursor=${cursor}`].map((path) => ({ path, key: demoKey }));
    for (const path of [
      `/v1/status-pages/${page}/revisions`,
      `/v1/deleted-status-pages?project_id=${tenant.project_id}`,
    ])
      paths.push({ path, key: tenant.key });
    for (const { path, key } of paths) {
      const [first, second] = await bothAnswer(path, { key });
      expect(first).toMatchObject({ status: 200 });
      expect(second).toEqual(first);
    }
  });

  it('continues idempotent requests, revisions, restores and versions', async () => {
    const own = { key: tenant.key };
    const [first, second] = await bothAnswer('/v1/projects', { ...once, ...own });
    expect(second).toEqual(first);
    const version = () =>
      restored.sql('SELECT version FROM page_versions WHERE project_id = $1', [tenant.project_id]);
    const before = await version();
    expect((await restored.patch(tenant, page, { name: 'Next' })).status).toBe(200);
    const revisions = await restored.ask<ListPage<{ number: number }>>(
      `/v1/status-pages/${page}/revisions`,
      own,
    );
    expect(revisions.body.data[0]?.number).toBe(4);
    await restored.monitors(tenant, 1);
    const [monitor = ''] = await restored.monitors(tenant, 1);
    await restored.ask(`/v1/monitors/${monitor}`, { ...own, method: 'DELETE' });
    expect(await version()).not.toEqual(before);
    const back = await restored.ask<One<Row>>(`/v1/status-pages/${deleted}/restore`, {
      ...own,
      method: 'POST',
      json: {},
    });
    expect([back.status, back.body.data.id]).toEqual([200, deleted]);
  });
});

describe('table that a later migration adds', () => {
  const COLUMNS = `
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number serial, twice integer GENERATED ALWAYS AS (number * 2) STORED,
    monitor_id uuid REFERENCES monitors (id), "odd ""name" text[], nothing jsonb, bytes bytea, amount numeric, time timestamp`;

  class ANewTable2000000000000 implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`CREATE TABLE a_new_table (${COLUMNS})`);
      await runner.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fired'; END $$`,
      );
      await runner.query(
        `CREATE TRIGGER refuses BEFORE DELETE OR UPDATE ON a_new_table FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
    }

    async down(): Promise<void> {}
  }

  beforeAll(() => void MIGRATIONS.push(ANewTable2000000000000));
  afterAll(() => void MIGRATIONS.pop());

  it('needs no code change, including identities, sequences and triggers', async () => {
    const [source, target] = [await backups.database(), await backups.database()];
    await onDatabase(source, async (database) => {
      await database.query(`INSERT INTO a_new_table ("odd ""name", nothing, bytes, amount, time) VALUES
        ('{NULL,"a,b","{\\\\"}', 'null', '\\x00ff5c', 1e-20, 'infinity'), (NULL, NULL, '', 'NaN', '0044-03-15 BC')`);
      await database.query(`SELECT nextval('a_new_table_number_seq'), setval('a_new_table_id_seq', 40)`);
    });
    await call(source, 'backup', backups.path('table'));
    await call(target, 'restore', backups.path('table'));
    const contents = (env: DatabaseEnv) =>
      onDatabase(env, (database) => checksumsOf((statement) => database.query(statement)));
    expect(await contents(target)).toEqual(await contents(source));
    await onDatabase(target, async (database) => {
      expect(await database.query('SELECT twice, nothing::text FROM a_new_table ORDER BY id')).toEqual([
        { twice: 2, nothing: 'null' },
        { twice: 4, nothing: null },
      ]);
      expect(await database.query('INSERT INTO a_new_table DEFAULT VALUES RETURNING id, number')).toEqual([
        { id: 41, number: 4 },
      ]);
      await expect(database.query('DELETE FROM a_new_table')).rejects.toThrow('fired');
    });
  });
});
