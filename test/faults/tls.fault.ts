import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callCli, Program } from '../support/process.js';
import { Certificates } from '../support/certificates.js';
import { Cluster } from './support/cluster.js';
import { Service } from './support/service.js';
import { seedDatabase } from './support/seed.js';

let cluster: Cluster;
let certificates: Certificates;

beforeAll(async () => {
  certificates = await Certificates.create();
  for (const name of ['authority', 'stranger']) await certificates.authority(name);
  await certificates.issue('authority', 'server', 'localhost');
  await certificates.issue('authority', 'postgres');
  await certificates.issue('stranger', 'intruder');
  cluster = await Cluster.createEmpty();
  for (const name of ['encrypted', 'mutual']) await cluster.sql(`CREATE DATABASE ${name}`);
  await cluster.write({
    'server.crt': await certificates.read('server.crt'),
    'server.key': await certificates.read('server.key'),
    'authority.crt': await certificates.read('authority.crt'),
    'pg_hba.conf': [
      'host    postgres  all 127.0.0.1/32 trust',
      'hostssl encrypted all 127.0.0.1/32 trust',
      'hostssl mutual    all 127.0.0.1/32 cert',
    ].join('\n'),
  });
  await cluster.configure({ ssl: 'on', ssl_ca_file: 'authority.crt' });
});
afterEach(() => Program.killAll());
afterAll(async () => {
  await cluster?.destroy();
  await certificates?.destroy();
});

/** A URL in which file names are replaced by paths. */
function urlOf(database: string, parameters: Readonly<Record<string, string>>, host = 'localhost'): string {
  const url = new URL(cluster.urlOf(database));
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters))
    url.searchParams.set(name, /\.(crt|key)$/.test(value) ? certificates.path(value) : value);
  return url.href;
}

const CA = { sslrootcert: 'authority.crt' };
const CLIENT = { sslcert: 'postgres.crt', sslkey: 'postgres.key' };
const FULL = { sslmode: 'verify-full', ...CA };

async function expectWork(url: string): Promise<void> {
  const env = { DATABASE_URL: url, EMBEDDED: '' };
  const service = await Service.start(env, await seedDatabase(env)); // the command line, then the server
  await service.recovers();
  const [encrypted] = await cluster.sql<{ all: boolean }>(
    `SELECT bool_and(ssl) AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'status-pages'`,
  );
  expect(encrypted).toEqual({ all: true });
  await service.stop(); // expects no warning on standard error
}

describe('PostgreSQL with TLS', () => {
  it.each([
    ['encrypted', FULL, 'localhost'],
    ['encrypted', { ...FULL, sslmode: 'require' }, 'localhost'],
    ['encrypted', { ...FULL, sslmode: 'verify-ca' }, '127.0.0.1'],
    ['encrypted', { sslmode: 'no-verify' }, '127.0.0.1'],
    ['mutual', { ...FULL, ...CLIENT }, 'localhost'],
  ])('serves the server and the command line: %s %j on %s', async (database, parameters, host) => {
    await expectWork(urlOf(database, parameters, host));
  });

  it.each([
    ['encrypted', {}, 'localhost', /no encryption \(28000\); the URL has no sslmode$/],
    ['encrypted', { sslmode: 'disable' }, 'localhost', /no encryption \(28000\); the URL has no sslmode$/],
    [
      'encrypted',
      { sslmode: 'verify-full' },
      'localhost',
      /the CA of its certificate is unknown \(set sslrootcert/,
    ],
    [
      'encrypted',
      { ...FULL, sslrootcert: 'stranger.crt' },
      'localhost',
      /the CA of its certificate is unknown/,
    ],
    [
      'encrypted',
      { sslmode: 'verify-ca', sslrootcert: 'stranger.crt' },
      '127.0.0.1',
      /the CA of its certificate is unknown/,
    ],
    ['encrypted', { ...FULL, sslrootcert: 'stranger.key' }, 'localhost', /./],
    [
      'encrypted',
      FULL,
      '127.0.0.1',
      /not for host "127.0.0.1" \(use a host of the certificate, or sslmode=verify-ca\)$/,
    ],
    ['encrypted', { ...FULL, sslmode: 'require' }, '127.0.0.1', /not for host "127.0.0.1"/],
    ['mutual', FULL, 'localhost', /requires a valid client certificate \(28000\); the URL has no sslcert$/],
    [
      'mutual',
      { ...FULL, sslcert: 'intruder.crt', sslkey: 'intruder.key' },
      'localhost',
      /rejected the client certificate/,
    ],
    [
      'mutual',
      { ...FULL, sslcert: 'postgres.crt', sslkey: 'intruder.key' },
      'localhost',
      /sslkey does not match sslcert/,
    ],
  ])('stops a startup with an error message: %s %j on %s', async (database, parameters, host, reason) => {
    const env = { DATABASE_URL: urlOf(database, parameters, host), EMBEDDED: '' };
    const { child, program } = Service.spawn(env);
    expect(await program.exit()).toBe(1);
    expect(child.signalCode).toBeNull();
    const start = `Status Pages could not start: PostgreSQL at ${host}:${cluster.port}, database "${database}": `;
    expect(program.stderr.slice(0, start.length)).toBe(start);
    expect(program.stderr.trimEnd()).toMatch(reason);
    expect(program.stderr.match(/\n/g)).toHaveLength(1);
    const { code, stderr } = await callCli(env, 'demo');
    expect([code, stderr.trimEnd()]).toEqual([1, expect.stringMatching(reason)]);
    expect(program.stdout + program.stderr + stderr).not.toContain('sesame');
  });
});
