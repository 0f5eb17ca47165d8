import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { cli, demoOf, startProgram, stop, useDirectory } from '../support/process.js';
import { EXAMPLE_IDS } from '../../src/platform/openapi/example-ids.js';
import type { StatusPageSummaryDto } from '../../src/summaries/dto/status-page-summary.dto.js';
import { type Body, type One, until } from '../support/server.js';

const directory = useDirectory();

/** Pastes lines into a shell. The last one is a curl command. */
async function paste<Answered = Body>(...lines: string[]): Promise<Answered> {
  const script = lines.join('\n').replace(/^curl/m, 'curl --silent');
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  return JSON.parse(stdout);
}

describe('first startup with the embedded PostgreSQL', () => {
  it(
    'creates demo data and prints working commands; the data survive kill -9',
    { tags: ['curl'] },
    async () => {
      const first = await startProgram({ DATA_DIR: directory.path });
      const [, address = ''] = await first.prints(/^ {2}(http:\/\/localhost:\d+\/status\/acme-cloud)$/m);
      expect(address).toContain(new URL(first.url).port);
      const [, list = ''] = await first.prints(/^(curl .*limit=3.*)$/m);
      const [, summary = ''] = await first.prints(/^(curl .*summary.*)$/m);
      const [, update = ''] = await first.prints(/^(curl -X PATCH .*)$/m);
      await first.prints(/^ {2}http:\/\/localhost:\d+\/manage\/sign-in\/ml_\w{46}$/m);
      const { KEY: key, PROJECT, PAGE } = await demoOf(first);
      const variables = [...first.stdout.matchAll(/^export .*$/gm)].map(([line]) => line).join('\n');

      expect(first.stdout.indexOf(address)).toBeLessThan(first.stdout.indexOf('export KEY'));
      const page = await fetch(address.replace('localhost', '127.0.0.1'));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Acme Cloud')]);

      const listed = await paste(variables, list);
      expect(listed.data).toHaveLength(3);
      expect(listed.data[0]?.project_id).toBe(PROJECT);
      expect(listed.data[0]?.id).toBe(PAGE);
      const summarized = await paste<One<StatusPageSummaryDto>>(variables, summary);
      expect(summarized.data).toMatchObject({
        status_page_id: PAGE,
        status: 'degraded_performance',
        incidents: [{ status: 'identified' }],
        maintenances: [{ status: 'scheduled' }],
      });
      const updated = await paste(variables, update);
      expect(updated.data.id).toBe(PAGE);
      expect(updated.data.name).toBe('Acme Status');
      // The page that is open in the browser.
      await until(async () =>
        (await (await fetch(`${first.url}${new URL(address).pathname}`)).text()).includes('Acme Status'),
      );
      first.kill('SIGKILL');
      await first.exit();

      const second = await startProgram({ DATA_DIR: directory.path });
      const headers = { Authorization: `Bearer ${key}` };
      const query = `project_id=${updated.data.project_id}&limit=100`;
      const answer = await fetch(`${second.url}/v1/status-pages?${query}`, { headers });
      const { data }: Body = JSON.parse(await answer.text());
      expect(data).toHaveLength(3);
      expect(data.find(({ id }) => id === updated.data.id)).toEqual(updated.data);
      expect(second.stdout).not.toMatch(/sp_|curl/);
      await stop(second);
    },
  );

  it('prints the addresses and a working command for a key on each later start with --dev', async () => {
    const DATA_DIR = await directory.migrated();
    const first = await startProgram({ DATA_DIR }, '--dev');
    await demoOf(first);
    expect((await fetch(`${first.url}/`)).status).toBe(200);
    await stop(first);
    const second = await startProgram({ DATA_DIR }, '--dev');
    const origin = second.url.replace('127.0.0.1', 'localhost');
    const [, page] = await second.prints(/^Status page: +(\S+)$/m);
    const [, docs] = await second.prints(/^API documentation: +(\S+)$/m);
    const [, command = ''] = await second.prints(
      /^Create an API key: +EMBEDDED=true npm run --silent cli -- (.+)$/m,
    );
    const [, signIn] = await second.prints(/^Sign in once: +(\S+)$/m);
    await second.prints(/^First member: +admin@example\.com$/m);
    expect(signIn).toMatch(new RegExp(`^${origin}/manage/sign-in/ml_\\w{46}$`));
    expect([page, docs]).toEqual([`${origin}/status/acme-cloud`, `${origin}/docs`]);
    expect(second.stdout).not.toMatch(/sp_|curl/);
    const { key }: { key: string } = JSON.parse((await cli({ DATA_DIR }, ...command.split(' '))).stdout);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const ask = async (path: string, json?: object): Promise<Body> => {
      const body = json && { method: 'PUT', body: JSON.stringify(json) };
      return JSON.parse(await (await fetch(second.url + path, { headers, ...body })).text());
    };
    const { data } = await ask('/v1/projects');
    expect(data.map(({ name }) => name).toSorted()).toEqual(['Demo', 'Sandbox']);

    const start = await (await fetch(`${second.url}/`)).text();
    expect(start).toContain('href="/status/acme-cloud"');
    expect(start).toContain('Some systems are degraded · Slow responses from the API');
    expect(start).toContain('Acme Internal');
    expect(start).not.toContain('href="/status/acme-internal"');
    const pages = await ask(`/v1/status-pages?project_id=${EXAMPLE_IDS.project}`);
    const internal = pages.data.find(({ slug }) => slug === 'acme-internal');
    await ask(`/v1/status-pages/${internal?.id}/access`, { password: 'correct horse battery' });
    const opened = await (await fetch(`${second.url}/`)).text();
    expect(opened).toContain('href="/status/acme-internal"');
    expect(opened).toContain('Private: only visitors with access see it.');
    expect(start).toContain('href="/docs"');
    expect(start).toContain(command);
    expect((await fetch(`${second.url}/`, { method: 'POST' })).status).toBe(405);
    await stop(second);
  });

  it('serves a start page without a demo page, and HOME_PAGE instead of it', async () => {
    const DATA_DIR = await directory.migrated();
    const empty = await startProgram({ DATA_DIR, DEMO: 'false' }, '--dev');
    await empty.prints(/^Start page: +http:\S+\/$/m);
    const response = await fetch(`${empty.url}/`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const start = await response.text();
    expect(start).toContain('href="/docs"');
    expect(start).not.toContain('/status/');
    await stop(empty);
    const home = await startProgram({ DATA_DIR, HOME_PAGE: 'acme-cloud' }, '--dev');
    await demoOf(home);
    expect(await (await fetch(`${home.url}/`)).text()).toContain('Acme Cloud');
    await stop(home);
    const production = await startProgram({ DATA_DIR });
    expect((await fetch(`${production.url}/`)).status).toBe(404);
    expect(production.stdout).not.toContain('npm run');
    await stop(production);
  });

  it('creates only the schema and the default organization with DEMO=false', async () => {
    const DATA_DIR = await directory.migrated('x'.repeat(120));
    const server = await startProgram({ DATA_DIR, DEMO: 'false' });
    expect(server.stdout).not.toMatch(/sp_|curl/);
    const { code, stdout } = await cli({ DATA_DIR }, 'project', 'create', '--name', 'First');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ organization_id: '00000000-0000-7000-8000-000000000001' });
    await stop(server);
  });
});

describe('startup with DATABASE_URL', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  it('creates only the schema and the default organization', async () => {
    const server = await startProgram(database.env);
    expect(server.stdout).not.toMatch(/sp_|curl/);
    const client = new Client(database.env.DATABASE_URL);
    await client.connect();
    const counts = await client.query(`SELECT
      (SELECT json_agg(name) FROM organizations) AS organizations,
      (SELECT count(*)::int FROM projects) AS projects, (SELECT count(*)::int FROM monitors) AS monitors,
      (SELECT count(*)::int FROM api_keys) AS keys, (SELECT count(*)::int FROM status_pages) AS pages`);
    await client.end();
    expect(counts.rows).toEqual([
      { organizations: ['Default'], projects: 0, monitors: 0, keys: 0, pages: 0 },
    ]);
    await stop(server);
  });

  it('runs the migrations once if several processes start concurrently', async () => {
    const servers = await Promise.all(Array.from({ length: 4 }, () => startProgram(database.env)));
    for (const server of servers) {
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
      await stop(server);
    }
  });
});
