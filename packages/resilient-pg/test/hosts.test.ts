import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { checkPostgresUrl, checkReplicaUrls, Hosts, parsePostgresUrl, Pool } from '../src/index.js';

const URL = 'postgres://me:secret@one:5432,two:5433/app';

describe('parsePostgresUrl', () => {
  it('returns a URL for each host', () => {
    expect(parsePostgresUrl(`${URL}?target_session_attrs=read-write`)).toEqual({
      urls: ['postgres://me:secret@one:5432/app?', 'postgres://me:secret@two:5433/app?'],
      mustWrite: true,
    });
  });

  it('verifies certificates with sslmode=require', () => {
    expect(parsePostgresUrl('postgres://one/app?sslmode=require').urls).toEqual([
      'postgres://one/app?sslmode=verify-full',
    ]);
  });
});

describe('checkPostgresUrl', () => {
  it.each([
    [URL, undefined],
    ['mysql://one/app', /^must be a URL that starts with postgres:/],
    ['postgres://one/app?sslmode=prefer', /^has an invalid sslmode/],
    ['postgres://one/app?sslmode=verify-ca', /requires sslrootcert/],
    ['postgres://one/app?sslcert=/missing', /must have both sslcert and sslkey/],
    ['postgres://one/app?sslrootcert=/missing', /"\/missing", which cannot be read \(ENOENT\)/],
    ['postgres://one/app?target_session_attrs=standby', /^has invalid target_session_attrs/],
  ])('checks %s', (url, error) => {
    const found = checkPostgresUrl(url);
    if (error) expect(found).toMatch(error);
    else expect(found).toBeUndefined();
  });
});

describe('checkReplicaUrls', () => {
  it('rejects a URL with several hosts', () => {
    expect(checkReplicaUrls('postgres://one/app postgres://two/app')).toBeUndefined();
    expect(checkReplicaUrls(URL)).toMatch(/^must contain one host/);
  });
});

describe('Hosts', () => {
  it('returns undefined for a URL that pg alone can serve', () => {
    expect(Hosts.of('postgres://one/app')).toBeUndefined();
  });

  it('tries each host, and reports the error of each', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const hosts = Hosts.of(`postgres://me:secret@127.0.0.1:1,127.0.0.1:${port}/app`);
    const pool = new Pool({ ...(hosts && { hosts }), connectionTimeoutMillis: 400 });
    const error = await pool.connect().catch((reason: unknown) => reason);
    expect(String(error)).toBe(
      `DatabaseUnavailableError: PostgreSQL at 127.0.0.1:1, 127.0.0.1:${port}, database "app": ` +
        'connection refused; no response within 0.2 s',
    );
    await pool.end();
    silent.close();
  });
});
