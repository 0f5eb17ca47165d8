import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnvError, loadEnv } from '../../src/platform/config/env.js';
import { useDirectory } from '../support/process.js';

const directory = useDirectory();

const URL_FORM =
  'must be a URL that starts with postgres:// or postgresql://, such as postgres://user:password@host:5432/database';
const SSL_MODE = 'has an invalid sslmode (valid: disable, no-verify, require, verify-ca, verify-full)';
const ONE_HOST = 'must contain one host per URL, without target_session_attrs';
const PUBLIC_URL_FORM =
  'must be a URL of at most 2000 characters that starts with http:// or https://, without user, query and fragment';

const HOME_PAGE_FORM =
  'must be the slug of a status page: 1 to 63 lower-case letters and digits, in parts joined by single "-"';

const REDIS_URL_FORM =
  'must be a URL such as redis://user:password@host:6379/0, or rediss:// for TLS, without query and fragment';
const SECRET_KEY_FORM = 'must be 32 bytes in hexadecimal or base64, or several such keys separated by commas';
const KEY = Buffer.alloc(32, 0xfb);

const OIDC_ISSUER_FORM =
  'must be a URL of at most 500 characters that starts with https://, without user, query and fragment';
const OIDC = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'client', OIDC_CLIENT_SECRET: 'open' };
const lineOf = (max: number) =>
  `must be 1 to ${max} characters without spaces at the ends and control characters`;

const TRUST_PROXY_FORM =
  'must be a number of proxies from 0 to 32, or a list of addresses, networks such as 10.0.0.0/8, and the names loopback, linklocal and uniquelocal';

describe('validation of variables on startup', () => {
  it.each([
    ['PORT', 'sesame', 'must be an integer from 0 to 65535'],
    ['PORT', '65536', 'must be an integer from 0 to 65535'],
    ['PORT', '-1', 'must be an integer from 0 to 65535'],
    ['PORT', '1e3', 'must be an integer from 0 to 65535'],
    ['DATABASE_URL', 'mysql://sesame', URL_FORM],
    ['DATABASE_URL', '', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one:5432,:5433/x', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one,,two/x', URL_FORM],
    ['DATABASE_URL', 'postgres:///x?host=one,two', URL_FORM],
    ['DATABASE_URL', 'postgres://one/x?sslmode=sesame', SSL_MODE],
    ['DATABASE_URL', 'postgres://one/x?sslmode=prefer', SSL_MODE],
    [
      'DATABASE_URL',
      'postgres://one/x?sslmode=verify-ca',
      'has sslmode=verify-ca, which requires sslrootcert with the path of the CA file',
    ],
    ['DATABASE_URL', 'postgres://one/x?sslkey=sesame', 'must have both sslcert and sslkey, or neither'],
    [
      'DATABASE_URL',
      'postgres://one,two/x?target_session_attrs=sesame',
      'has invalid target_session_attrs (valid: any, read-write)',
    ],
    ['DATABASE_URL', 'postgres://u:%zz@one/x', URL_FORM],
    [
      'DATABASE_URL',
      'postgres://one/x?sslrootcert=/nowhere/ca.crt',
      'has the sslrootcert "/nowhere/ca.crt", which cannot be read (ENOENT)',
    ],
    [
      'DATABASE_URL',
      'postgres://u:sesame@one,two/x?sslmode=verify-full&sslcert=package.json&sslkey=%2Fnowhere%2Fclient%20key',
      'has the sslkey "/nowhere/client key", which cannot be read (ENOENT)',
    ],
    [
      'DATABASE_URL',
      'postgres://u:sesame@one/x?sslcert=/&sslkey=package.json',
      'has the sslcert "/", which cannot be read (EISDIR)',
    ],
    [
      'DATABASE_REPLICA_URLS',
      'postgres://u:sesame@one/x?sslrootcert=/nowhere/ca.crt',
      'has the sslrootcert "/nowhere/ca.crt", which cannot be read (ENOENT)',
    ],
    ['DATABASE_REPLICA_URLS', 'sesame', URL_FORM],
    ['DATABASE_REPLICA_URLS', 'postgres://one/x,postgres://u:sesame@two,three/x', ONE_HOST],
    ['DATABASE_REPLICA_URLS', 'postgres://one/x postgres://two/x?target_session_attrs=read-write', ONE_HOST],
    ['EMBEDDED', 'sesame', 'must be true or false'],
    ['DEMO', 'sesame', 'must be true or false'],
    ['CONSOLE', 'sesame', 'must be on or off'],
    ['OIDC_ISSUER', 'sesame', OIDC_ISSUER_FORM],
    ['OIDC_ISSUER', 'https://user:sesame@login.example', OIDC_ISSUER_FORM],
    ['OIDC_ISSUER', 'https://login.example?sesame', OIDC_ISSUER_FORM],
    ['OIDC_ISSUER', `https://login.example/${'x'.repeat(500)}`, OIDC_ISSUER_FORM],
    ['OIDC_CLIENT_ID', ' sesame', lineOf(500)],
    ['OIDC_CLIENT_SECRET', 'sesame\n', lineOf(500)],
    ['OIDC_NAME', 'x'.repeat(41), lineOf(40)],
    ['LOG_LEVEL', 'sesame', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['DATABASE_POOL_SIZE', '1', 'must be an integer from 2 to 1000'],
    ['SHUTDOWN_TIMEOUT', 'sesame', 'must be an integer from 0 to 600'],
    ['RATE_LIMIT', '1000000001', 'must be an integer from 0 to 1000000000'],
    ['RATE_LIMIT', '-1', 'must be an integer from 0 to 1000000000'],
    ['AUTH_RATE_LIMIT', 'sesame', 'must be an integer from 0 to 1000000000'],
    ['REDIS_URL', 'sesame', REDIS_URL_FORM],
    ['REDIS_URL', 'http://sesame', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://user:sesame@host:65536', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://user:sesame%zz@host', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://host/sesame', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://host?password=sesame', REDIS_URL_FORM],
    ['REDIS_URL', 'redis://one:1,two:2/sesame', REDIS_URL_FORM],
    ['WEB_CONCURRENCY', '0', 'must be an integer from 1 to 64'],
    ['DRAIN_DELAY', '601', 'must be an integer from 0 to 600'],
    ['ADMIN_PORT', 'sesame', 'must be an integer from 0 to 65535'],
    ['EVENTS_KEPT_DAYS', '29', 'must be an integer from 30 to 3650'],
    ['SLOW_STATEMENT_MS', '60001', 'must be an integer from 0 to 60000'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'sesame:4318', 'must be a URL that starts with http:// or https://'],
    ['TRUST_PROXY', 'true', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '-1', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '33', TRUST_PROXY_FORM],
    ['TRUST_PROXY', 'sesame', TRUST_PROXY_FORM],
    ['TRUST_PROXY', 'loopback,', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '10.0.0.0/33', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '10.0.0.0/', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '10.0.0.0/8/8', TRUST_PROXY_FORM],
    ['TRUST_PROXY', '10.0.0.256', TRUST_PROXY_FORM],
    ['TRUST_PROXY', 'fe80::1%eth0', TRUST_PROXY_FORM],
    ['TRUST_PROXY', 'constructor', TRUST_PROXY_FORM],
    ['SECRET_KEY', 'sesame', SECRET_KEY_FORM],
    ['SECRET_KEY', ' ', SECRET_KEY_FORM],
    ['SECRET_KEY', KEY.toString('latin1'), SECRET_KEY_FORM],
    ['SECRET_KEY', KEY.toString('hex').slice(0, 63), SECRET_KEY_FORM],
    ['SECRET_KEY', `${KEY.toString('hex')}0`, SECRET_KEY_FORM],
    ['SECRET_KEY', `0x${KEY.toString('hex')}`, SECRET_KEY_FORM],
    ['SECRET_KEY', KEY.toString('hex').replace('f', 'g'), SECRET_KEY_FORM],
    ['SECRET_KEY', Buffer.alloc(31, 1).toString('base64'), SECRET_KEY_FORM],
    ['SECRET_KEY', Buffer.alloc(33, 1).toString('base64'), SECRET_KEY_FORM],
    ['SECRET_KEY', `${KEY.toString('base64')}=`, SECRET_KEY_FORM],
    ['SECRET_KEY', `${KEY.toString('hex')},`, SECRET_KEY_FORM],
    ['SECRET_KEY', `${KEY.toString('hex')},sesame`, SECRET_KEY_FORM],
    ['SECRET_KEY', `${KEY.toString('hex')} ${KEY.toString('hex')}`, SECRET_KEY_FORM],
    ['HOME_PAGE', 'Sesame', HOME_PAGE_FORM],
    ['HOME_PAGE', '/status/sesame', HOME_PAGE_FORM],
    ['HOME_PAGE', 'sesame-', HOME_PAGE_FORM],
    ['HOME_PAGE', 'x'.repeat(64), HOME_PAGE_FORM],
    ['PUBLIC_URL', 'status.example', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'ftp://sesame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://user:sesame@status.example', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://status.example/?sesame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://status.example/#sesame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://status.example/ses ame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://status.example:sesame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https://status.example:65536', PUBLIC_URL_FORM],
    ['PUBLIC_URL', 'https:\\\\sesame', PUBLIC_URL_FORM],
    ['PUBLIC_URL', `https://status.example/${'x'.repeat(2_000)}`, PUBLIC_URL_FORM],
  ])('reports the variable and its valid values: %s=%s', (name, value, allowed) => {
    const database =
      name === 'DATABASE_URL'
        ? {}
        : name === 'DATABASE_REPLICA_URLS'
          ? { DATABASE_URL: 'postgres://one/x' }
          : { EMBEDDED: 'true' };
    const provider = name.startsWith('OIDC_') ? OIDC : {};
    expect(() => loadEnv({ ...database, ...provider, [name]: value })).toThrow(
      new EnvError(`${name} ${allowed}`),
    );
  });

  it('reports both variables without a selected database', () => {
    const choice = 'DATABASE_URL must be set, or EMBEDDED=true for the embedded PostgreSQL';
    expect(() => loadEnv({})).toThrow(new EnvError(choice));
    expect(() => loadEnv({ EMBEDDED: 'false', PORT: '-1' })).toThrow(
      new EnvError(`PORT must be an integer from 0 to 65535\n${choice}`),
    );
    expect(() => loadEnv({ EMBEDDED: 'true', DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      new EnvError('EMBEDDED must not be true if DATABASE_URL is set'),
    );
    expect(() => loadEnv({ EMBEDDED: 'true', DATABASE_REPLICA_URLS: 'postgres://one/x' })).toThrow(
      new EnvError('DATABASE_REPLICA_URLS must not be set if EMBEDDED is true'),
    );
  });

  it('reports variables of OpenID Connect that need others', () => {
    const load = (variables: NodeJS.ProcessEnv) => () => loadEnv({ EMBEDDED: 'true', ...variables });
    expect(load({ OIDC_ISSUER: OIDC.OIDC_ISSUER })).toThrow(
      new EnvError('OIDC_CLIENT_ID must be set if OIDC_ISSUER is set'),
    );
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'])
      expect(load({ [name]: 'x' })).toThrow(new EnvError(`OIDC_ISSUER must be set if ${name} is set`));
    const inside = { ...OIDC, OIDC_ISSUER: 'http://login.internal' };
    expect(load(inside)).toThrow(
      new EnvError(
        'OIDC_ISSUER must start with https://, except in the networks of WEBHOOK_ALLOWED_NETWORKS',
      ),
    );
    expect(load({ ...inside, WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' })()).toMatchObject(inside);
    expect(load({ ...OIDC, OIDC_CLIENT_SECRET: undefined, OIDC_NAME: 'Acme' })()).toMatchObject({
      OIDC_NAME: 'Acme',
      OIDC_CLIENT_SECRET: undefined,
    });
  });

  it.each([
    'postgres://u:p@/x?host=/var/run/postgresql',
    'postgres:///x?host=/tmp',
    'postgresql://[::1]:5432/x',
    'postgres://u:p@one:5432,two:5433/x?target_session_attrs=read-write&sslmode=require',
    'postgres://u:p@[::1]:5432,two/x?target_session_attrs=any',
  ])('accepts a URL that pg supports: %s', (DATABASE_URL) => {
    expect(loadEnv({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
  });

  it.each([
    { REDIS_URL: 'redis://localhost' },
    { REDIS_URL: 'rediss://user:p%40ss@[::1]:6380/15' },
    { REDIS_URL: 'redis://:pass@10.0.0.1:6379/' },
    { SECRET_KEY: KEY.toString('hex') },
    { SECRET_KEY: KEY.toString('hex').toUpperCase() },
    { SECRET_KEY: KEY.toString('base64') },
    { SECRET_KEY: KEY.toString('base64').replace('=', '') },
    { SECRET_KEY: KEY.toString('base64url') },
    { SECRET_KEY: `${KEY.toString('base64')}, ${KEY.toString('hex')}` },
    { TRUST_PROXY: '0' },
    { TRUST_PROXY: '32' },
    { TRUST_PROXY: 'loopback, linklocal,uniquelocal' },
    { TRUST_PROXY: '192.0.2.1, 10.0.0.0/8, 2001:db8::/32, ::1' },
  ])('accepts %j', (variables) => {
    expect(loadEnv({ EMBEDDED: 'true', ...variables })).toMatchObject(variables);
  });

  it('accepts the maximum values', () => {
    expect(loadEnv({ EMBEDDED: 'true', PORT: '65535', RATE_LIMIT: '1000000000' })).toMatchObject({
      PORT: 65_535,
      RATE_LIMIT: 1_000_000_000,
    });
  });

  it('accepts a secret file with or without a trailing newline', async () => {
    const path = join(directory.path, 'url');
    await writeFile(path, 'postgres://u:sesame@one/x\n');
    expect(loadEnv({ DATABASE_URL_FILE: path })).toMatchObject({ DATABASE_URL: 'postgres://u:sesame@one/x' });
    await writeFile(path, 'redis://:sesame@one');
    expect(loadEnv({ EMBEDDED: 'true', REDIS_URL_FILE: path })).toMatchObject({
      REDIS_URL: 'redis://:sesame@one',
    });
  });

  it('reports the variable of an invalid secret file', async () => {
    const path = join(directory.path, 'url');
    const url = 'postgres://one/x';
    const load = (env: NodeJS.ProcessEnv) => () => loadEnv(env);
    expect(load({ DATABASE_URL_FILE: '/sesame' })).toThrow(
      new EnvError('DATABASE_URL_FILE points to a file that cannot be read (ENOENT)'),
    );
    await writeFile(path, '\n');
    expect(load({ DATABASE_URL_FILE: path })).toThrow(
      new EnvError('DATABASE_URL_FILE points to an empty file'),
    );
    await writeFile(path, 'mysql://sesame');
    expect(load({ DATABASE_URL_FILE: path })).toThrow(new EnvError(`DATABASE_URL ${URL_FORM}`));
    expect(load({ DATABASE_URL: url, DATABASE_URL_FILE: path })).toThrow(
      new EnvError('DATABASE_URL_FILE must not be set if DATABASE_URL is set'),
    );
  });
});
