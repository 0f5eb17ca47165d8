import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { openEmbedded } from '../../src/platform/database/embedded-postgres.js';
import { createDatabase, onPostgres, type TestDatabase } from '../support/database.js';
import { cli, Program, startProgram } from '../support/process.js';
import { sendRaw } from '../support/raw-connection.js';

// Secrets in every place that a log could take them from. Other tests check the responses.

/** The text contains upper-case and lower-case letters and digits, like a password. */
const text = `Cnry${randomBytes(20).toString('hex')}`;
const unknownKey = generateToken('sp_');
const unknownPreview = generateToken('pv_');
/** A token of a link in mail. */
const unknownLink = `st_${randomBytes(40).toString('base64url')}`;

/** A token of a link to a private page. */
const unknownEntry = generateToken('ae_');

/** Tokens of a session in the console, and of a link that signs in. */
const [unknownSession, unknownSignIn] = [generateToken('ms_'), generateToken('ml_')];

let database: TestDatabase;
let server: Program & { url: string };
let key: string;
let project: string;
let page: string;
let preview: string;
/** The path of the status page in the preview. */
let previewed: string;

/** The encodings of a secret. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base64, starting at any of three bytes.
  const encoded = [0, 1, 2].map((skipped) => bytes.subarray(skipped, skipped + 18).toString('base64'));
  const percent = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  return [secret, secret.toLowerCase(), secret.toUpperCase(), bytes.toString('hex'), percent, ...encoded];
}

/** Expects that no line of an output contains a secret, or a part of one except its first 8 characters. */
function expectNoSecret(output: string): void {
  const parts = secrets()
    .flatMap(formsOf)
    .flatMap((form) => [form, form.slice(9, 21)])
    .filter((part) => output.includes(part));
  const lines = output.split('\n').filter((line) => parts.some((part) => line.includes(part)));
  expect(lines).toEqual([]);
}

/** The URL of the database with a password. PostgreSQL ignores the password in this test. */
function withPassword({ env }: TestDatabase): Record<string, string> {
  if (!onPostgres) return env;
  const url = new URL(env.DATABASE_URL);
  url.password = text;
  return { ...env, DATABASE_URL: url.href };
}

beforeAll(async () => {
  database = await createDatabase();
  // In this test, Redis is not running.
  const env = {
    ...withPassword(database),
    DEMO: 'false',
    LOG_LEVEL: 'trace',
    RATE_LIMIT: '0',
    SLOW_STATEMENT_MS: '1',
    MAIL_DIR: `${database.env.DATA_DIR}/mail`,
  };
  server = await startProgram({ ...env, REDIS_URL: `redis://user:${text}@127.0.0.1:1` });
  const { stdout } = await cli(withPassword(database), 'demo', '--pages', '1');
  ({ key, project_id: project } = JSON.parse(stdout));
  const list = await ask(`/v1/status-pages?project_id=${project}`);
  ({
    data: [{ id: page }],
  } = JSON.parse(list.text));
  const link = await ask(`/v1/status-pages/${page}/preview-links`, { method: 'POST' });
  const { data }: { data: { url: string } } = JSON.parse(link.text);
  const shown = new URL(data.url);
  previewed = shown.pathname;
  preview = shown.searchParams.get('preview') ?? '';
  if (!preview.startsWith('pv_')) throw new Error(`no preview: ${link.text}`);
});
afterAll(async () => {
  server.kill('SIGKILL');
  await server.exit();
  await database.drop();
});

/** A statement of an administrator, outside of the server. */
async function sql(statement: string): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = database.env;
  const client = onPostgres
    ? new Client(DATABASE_URL)
    : new Client({
        host: (await openEmbedded(DATA_DIR, 'client')).socketDir,
        user: 'postgres',
        database: 'postgres',
      });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Bearer ${key}`, ...init.headers };
  const answer = await fetch(server.url + path, { ...init, headers });
  return { status: answer.status, text: await answer.text() };
}

/** Waits until the log contains the line of a request that came after all others. */
async function logged(): Promise<string> {
  const answer = await fetch(`${server.url}/health/live`);
  await server.prints(new RegExp(`"request_id":"${answer.headers.get('x-request-id')}"`));
  return server.stdout + server.stderr;
}

const secrets = (): string[] => [
  text,
  key,
  preview,
  unknownKey,
  unknownPreview,
  unknownLink,
  unknownEntry,
  unknownSession,
  unknownSignIn,
];
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('log and standard error at level trace', () => {
  it('hide the Authorization header in any scheme or form', async () => {
    for (const secret of secrets()) {
      const values = [
        `Bearer ${secret}`,
        `bearer  ${secret} `,
        `Bearer ${secret} ${secret}`,
        secret,
        `Token ${secret}`,
        basic('x', secret),
        basic(secret, ''),
        basic(secret, secret),
        `Basic ${secret}`,
        `Digest username="${secret}", response="${secret}"`,
        `${secret} x`,
        `Bearer é${secret}`,
      ];
      for (const Authorization of values)
        for (const path of ['/v1/me', '/v1/receivers/push', '/status/x', '/openapi.json', '/nowhere'])
          await ask(path, { headers: { Authorization } });
    }
    expectNoSecret(await logged());
  });

  it('hide the name and value of any other header', async () => {
    const names =
      'Accept Accept-Language Cookie Referer User-Agent Origin If-Match If-None-Match If-Modified-Since Range Idempotency-Key ' +
      'Content-Type Content-Encoding X-Request-Id X-Correlation-Id Traceparent Baggage Via Forwarded X-Forwarded-For ' +
      'X-Forwarded-Host X-Forwarded-Proto X-Real-IP X-Api-Key Proxy-Authorization X-HTTP-Method-Override Host Expect ' +
      'Transfer-Encoding Content-Length Upgrade HTTP2-Settings TE Trailer Connection Accept-Encoding';
    for (const secret of secrets()) {
      for (const name of names.split(' ')) {
        const host = name === 'Host' ? '' : 'Host: x\r\n';
        const head = `POST /v1/projects HTTP/1.1\r\n${host}Connection: close\r\n${name}: ${secret}\r\n`;
        await sendRaw(server.url, `${head}\r\n`);
      }
      await sendRaw(
        server.url,
        `GET /v1/me HTTP/1.1\r\nHost: x\r\n${secret}: x\r\nConnection: close\r\n\r\n`,
      );
      await sendRaw(server.url, `GET /v1/me HTTP/1.1\r\nHost: x\r\nX ${secret}: x\r\n\r\n`);
      await sendRaw(
        server.url,
        `GET /v1/me HTTP/1.1\r\nHost: x\r\nX: ${secret}${'x'.repeat(17_000)}\r\n\r\n`,
      );
    }
    expectNoSecret(await logged());
  });

  it('hide invalid HTTP, chunk extensions and trailers', async () => {
    const head = `POST /v1/projects HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n`;
    const chunked = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const secret of secrets()) {
      const requests = [
        `${secret}\r\n\r\n`,
        `${secret} / HTTP/1.1\r\n\r\n`,
        `GET / ${secret}\r\n\r\n`,
        `GET http://user:${secret}@x/${secret} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        `GET /${secret}\0 HTTP/1.1\r\nHost: x\r\n\r\n`,
        `${chunked}2;x=${secret}\r\n{}\r\n0\r\nX: ${secret}\r\n\r\n`,
        `${chunked}${secret}\r\n`,
        `${chunked}5\r\n{"${secret}\r\n`,
        `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}${secret}`,
      ];
      for (const request of requests) await sendRaw(server.url, request);
    }
    expectNoSecret(await logged());
  });

  it('hide the path and the query, including previews', async () => {
    for (const secret of secrets()) {
      for (const path of [
        '/',
        '/v1/',
        '/v1/monitors/',
        `/v1/status-pages/${page}/`,
        '/status/',
        '/status/x/monitors/',
        `${previewed}/confirm/`,
        `${previewed}/subscription/`,
        `${previewed}/unsubscribe/`,
        '/problems/',
        '/docs/',
        '/manage/sign-in/',
      ])
        for (const form of [
          secret,
          `${secret}/${secret}`,
          `x-${secret}.json`,
          encodeURIComponent(`é${secret}`),
          `%${secret}`,
        ])
          await ask(path + form);
      for (const name of [
        'access_token',
        'cursor',
        'limit',
        'preview',
        'project_id',
        'month',
        secret,
        `a[${secret}]`,
        `%${secret}`,
      ])
        for (const path of [
          '/v1/monitors',
          '/v1/receivers/push',
          '/status/demo',
          '/health/live',
          '/docs',
          '/nowhere',
        ])
          await ask(`${path}?${name}=${secret}&${name}=${secret}`);
      for (const path of ['', '/history', '/feed.rss', '/incidents/x', '/badge.svg'])
        await ask(`${previewed}${path}?preview=${secret}`);
      for (const kind of ['confirm', 'subscription', 'unsubscribe'])
        for (const method of ['GET', 'POST']) {
          await ask(`${previewed}/${kind}/${secret}`, { method });
          await ask(`/status/${secret}/${kind}/${secret}`, { method });
        }
    }
    expectNoSecret(await logged());
  });

  it('hide passwords, addresses, links and codes of the ways into a private page', async () => {
    const json = { 'Content-Type': 'application/json' };
    const wanted = { project_id: project, name: 'Private', slug: 'canary', is_public: false };
    const created = await ask('/v1/status-pages', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(wanted),
    });
    const { data }: { data: { id: string } } = JSON.parse(created.text);
    const oidc = { issuer: 'https://localhost:1', client_id: text, client_secret: text, email_domains: [] };
    const rules = { password: text, emails: [], email_domains: ['example.com'], networks: [], oidc };
    const put = { method: 'PUT', headers: json, body: JSON.stringify(rules) };
    expect((await ask(`/v1/status-pages/${data.id}/access`, put)).status).toBe(200);
    const send = (path: string, fields: Record<string, string>) =>
      ask(`/status/canary/access/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    for (const secret of secrets()) {
      await send('password', { password: secret, to: secret });
      await send('email', { email: `${secret.slice(0, 50)}@example.com`, to: secret });
      for (const method of ['GET', 'POST'])
        await ask(`/status/canary/access/email/${secret}?to=${secret}`, { method });
      await send('oidc', { to: secret });
      const query = `code=${secret}&state=${secret}&iss=${secret}&error=${secret}`;
      const headers = { Cookie: `sign-in-${data.id}=${secret}` };
      await ask(`/status/canary/access/oidc/callback?${query}`, { headers });
    }
    await server.prints(/mail written to a file/);
    await server.prints(/a visitor could not sign in with OpenID Connect/);
    const folder = `${database.env.DATA_DIR}/mail`;
    const mails = await Promise.all(
      (await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')),
    );
    const tokens = mails.flatMap((mail) => /ae_[\w=\r\n]{46,}/.exec(mail)?.[0].replaceAll('=\r\n', '') ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    const output = await logged();
    expectNoSecret(output);
    for (const token of tokens) expect(output).not.toContain(token.slice(8, 24));
  });

  it('hide bodies: valid or invalid JSON, files to import, and alerts', async () => {
    const json = { 'Content-Type': 'application/json' };
    const yaml = { 'Content-Type': 'application/yaml' };
    for (const secret of secrets()) {
      const form = new URLSearchParams({ email: `${secret}@example.com`, detail: secret, [secret]: secret });
      await ask(`${previewed}/subscribe`, { method: 'POST', body: form });
      const bodies = [
        { project_id: project, name: secret, description: secret },
        { project_id: secret, name: `${secret}\u0000`, [secret]: secret },
        { project_id: project, name: secret, slug: secret.toLowerCase(), custom_domain: `${secret}.example` },
        {
          project_id: project,
          title: secret,
          body: secret,
          starts_at: secret,
          monitors: [{ monitor_id: secret, status: secret }],
        },
        { project_id: project, reports: [{ monitor_id: secret, status: secret, observed_at: secret }] },
        { name: secret, scopes: [secret], project_ids: [secret], expires_at: secret },
        {
          alerts: [
            {
              status: 'firing',
              labels: { monitor_id: secret, [secret]: secret },
              annotations: { summary: secret },
            },
          ],
        },
        {
          page: { id: secret, name: secret },
          components: [{ id: secret, name: secret, status: secret, group_id: secret }],
        },
      ];
      const texts = [
        ...bodies.map((body) => JSON.stringify(body)),
        `{"name":"${secret}`,
        `{"${secret}":}`,
        secret,
        `"${secret}"`,
        `{"name":"${secret}\uD800"}`,
      ];
      const paths = [
        'projects',
        'monitors',
        'status-pages',
        'incidents',
        'maintenances',
        'monitor-reports',
        'api-keys',
        `imports/statuspage?project_id=${project}`,
        `receivers/alertmanager?project_id=${project}`,
        'receivers/bounces',
      ];
      for (const body of texts) {
        for (const path of paths) await ask(`/v1/${path}`, { method: 'POST', headers: json, body });
        await ask(`/v1/status-pages/${page}`, { method: 'PATCH', headers: json, body });
      }
      const files = [
        `${secret}: [`,
        `sites:\n  - name: ${secret}\n    url: http://user:${secret}@x\n    headers: ["Authorization: Bearer ${secret}"]\n`,
        `endpoints:\n  - name: ${secret}\n    url: https://${secret}\n    headers: {Authorization: ${secret}}\n`,
        `a: *${secret}`,
        `a: !${secret} x`,
        `%${secret}`,
        `"${secret}`,
        `${secret}: 1\n${secret}: 2\n`,
      ];
      for (const body of files)
        for (const format of ['gatus', 'upptime'])
          await ask(`/v1/imports/${format}?project_id=${project}`, { method: 'POST', headers: yaml, body });
      await ask(`/v1/receivers/push?monitor_id=${project}&msg=${secret}&ping=${secret}`);
    }
    expectNoSecret(await logged());
  });

  it('hide the parameters of a PostgreSQL error and its stack', async () => {
    await sql('ALTER TABLE monitors RENAME COLUMN description TO description_away');
    const json = { 'Content-Type': 'application/json' };
    const statuses: number[] = [];
    for (const secret of secrets()) {
      const body = JSON.stringify({ project_id: project, name: secret, description: secret });
      statuses.push((await ask('/v1/monitors', { method: 'POST', headers: json, body })).status);
    }
    await sql('ALTER TABLE monitors RENAME COLUMN description_away TO description');
    await sql(
      "ALTER TABLE monitors ADD CONSTRAINT no_canary CHECK (name NOT LIKE '%nry%' AND name NOT LIKE '%\\_%') NOT VALID",
    );
    for (const secret of secrets()) {
      const body = JSON.stringify({ project_id: project, name: `${secret}_nry`, description: secret });
      statuses.push((await ask('/v1/monitors', { method: 'POST', headers: json, body })).status);
    }
    await sql('ALTER TABLE monitors DROP CONSTRAINT no_canary');
    expect(statuses).toEqual([...secrets().map(() => 500), ...secrets().map(() => 400)]);
    const output = await logged();
    expect(output).toContain('"code":"42703"');
    expectNoSecret(output);
  });

  it('hide addresses of subscribers, also if a form or mail fails', async () => {
    const json = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ subscribe_enabled: true });
    const settings = `/v1/status-pages/${page}/settings`;
    expect((await ask(settings, { method: 'PATCH', headers: json, body })).status).toBe(200);
    await sql(
      "ALTER TABLE subscribers ADD CONSTRAINT no_canary CHECK (email NOT LIKE '%-fails@%') NOT VALID",
    );
    for (const email of [`${text}@example.com`, `${text}-fails@example.com`, `${text} @example.com`]) {
      const form = new URLSearchParams({ email, systems: 'all', detail: 'all', maintenances: 'on' });
      await ask(`${previewed}/subscribe`, { method: 'POST', body: form });
      for (const type of ['hard', 'none']) {
        const bounce = JSON.stringify({ email, type });
        await ask('/v1/receivers/bounces', { method: 'POST', headers: json, body: bounce });
      }
    }
    await server.prints(/1 subscription forms failed/);
    await sql('ALTER TABLE subscribers DROP CONSTRAINT no_canary');
    expectNoSecret(await logged());
  });

  it('hide the passwords in DATABASE_URL and REDIS_URL at any time', async () => {
    expectNoSecret(await logged());
    const broken = [
      { DATABASE_URL: `postgres://user:${text}@127.0.0.1:1/x?application_name=${text}` },
      {
        DATABASE_URL: `${text}://user:${text}@127.0.0.1:x/x`,
        REDIS_URL: `${text}://:${text}@127.0.0.1:x`,
        PORT: text,
      },
    ];
    for (const env of broken) {
      const program = Program.run('main.js', [], { PORT: '0', LOG_LEVEL: 'trace', ...env });
      expect(await program.exit()).toBe(1);
      expectNoSecret(program.stdout + program.stderr);
      const { stdout, stderr } = await cli({ LOG_LEVEL: 'trace', ...env }, 'organization', 'list');
      expectNoSecret(stdout + stderr);
    }
  });

  it('hide a file that the command line cannot import', async () => {
    const file = `${database.env.DATA_DIR}/import`;
    const files = {
      gatus: `${text}: [`,
      statuspage: `{"page": "${text}"`,
      upptime: `a: *${text}\n${unknownKey}: 1`,
    };
    for (const [format, content] of Object.entries(files)) {
      await writeFile(file, content);
      const { code, stdout, stderr } = await cli(
        withPassword(database),
        'import',
        format,
        '--project',
        project,
        file,
      );
      expect([code, stdout]).toEqual([1, '']);
      expectNoSecret(stderr);
    }
  });

  it('hide secrets in the lines at shutdown', async () => {
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    expect(server.stdout.length).toBeGreaterThan(100_000);
    expectNoSecret(server.stdout + server.stderr);
  });
});
