import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { EnvError, loadEnv } from '../../src/config/env.js';
import { callCli, Program, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const directory = useDirectory();
const shared = useTestServer();

const URL_FORM = 'must be a URL that starts with postgres:// or postgresql:// and names one host';

describe('a start that cannot be', () => {
  it.each([
    ['PORT', 'sesame', 'must be an integer from 0 to 65535'],
    ['PORT', '65536', 'must be an integer from 0 to 65535'],
    ['PORT', '-1', 'must be an integer from 0 to 65535'],
    ['PORT', '1e3', 'must be an integer from 0 to 65535'],
    ['DATABASE_URL', 'mysql://sesame', URL_FORM],
    ['DATABASE_URL', '', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one:5432,two:5432/x', URL_FORM],
    ['DATABASE_URL', 'postgres://u:sesame@one,two/x', URL_FORM],
    ['DATABASE_URL', 'postgres://u:%zz@one/x', URL_FORM],
    ['DATABASE_URL', 'postgres://one/x?sslrootcert=/sesame', 'names a file that cannot be read (ENOENT)'],
    ['EMBEDDED', 'sesame', 'must be true or false'],
    ['DEMO', 'sesame', 'must be true or false'],
    ['LOG_LEVEL', 'sesame', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['DATABASE_POOL_SIZE', '1', 'must be an integer from 2 to 1000'],
    ['SHUTDOWN_TIMEOUT', 'sesame', 'must be an integer from 0 to 600'],
    ['RATE_LIMIT', '1000000001', 'must be an integer from 0 to 1000000000'],
    ['RATE_LIMIT', '-1', 'must be an integer from 0 to 1000000000'],
  ])('is told by the name of the variable and what is allowed: %s=%s', (name, value, allowed) => {
    const database = name === 'DATABASE_URL' ? {} : { EMBEDDED: 'true' };
    expect(() => loadEnv({ ...database, [name]: value })).toThrow(new EnvError(`${name} ${allowed}`));
  });

  it('without a choice of the database names both variables', () => {
    const choice = 'DATABASE_URL must be set, or EMBEDDED=true for the embedded PostgreSQL';
    expect(() => loadEnv({})).toThrow(new EnvError(choice));
    expect(() => loadEnv({ EMBEDDED: 'false', PORT: '-1' })).toThrow(
      new EnvError(`PORT must be an integer from 0 to 65535\n${choice}`),
    );
    expect(() => loadEnv({ EMBEDDED: 'true', DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      new EnvError('EMBEDDED must not be true if DATABASE_URL is set'),
    );
  });

  it.each([
    'postgres://u:p@/x?host=/var/run/postgresql',
    'postgres:///x?host=/tmp',
    'postgresql://[::1]:5432/x',
  ])('is not brought about by a URL that pg understands: %s', (DATABASE_URL) => {
    expect(loadEnv({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
  });

  it('is not brought about by the largest numbers that are allowed', () => {
    expect(loadEnv({ EMBEDDED: 'true', PORT: '65535', RATE_LIMIT: '1000000000' })).toMatchObject({
      PORT: 65_535,
      RATE_LIMIT: 1_000_000_000,
    });
  });

  it('for bad variables ends with 1 and names every one of them, never a value', async () => {
    const bad = { PORT: 'sesame', DEMO: 'sesame', DATABASE_URL: 'sesame' };
    const program = Program.run('main.js', [], { DATA_DIR: directory.path, ...bad });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(
      /^Status Pages could not start: PORT must .*\nDATABASE_URL must .*\nDEMO must .*\n$/,
    );
    expect(program.stdout + program.stderr).not.toContain('sesame');
  });

  it('for a database that is away ends with 1, and never shows its password', async () => {
    const url = 'postgres://somebody:sesame@127.0.0.1:1/nowhere';
    const program = Program.run('main.js', [], { DATABASE_URL: url, PORT: '0' });
    expect(await program.exit()).toBe(1);
    const reason = 'PostgreSQL at 127.0.0.1:1, database "nowhere": connection refused\n';
    expect(program.stderr).toBe(`Status Pages could not start: ${reason}`);
    expect(program.stdout + program.stderr).not.toContain('sesame');
    const { code, stderr } = await callCli({ DATABASE_URL: url, EMBEDDED: '' }, 'demo');
    const database = 'database: PostgreSQL at 127.0.0.1:1, database "nowhere"\n';
    expect([code, stderr]).toEqual([1, `${database}error: ${reason}`]);
  });

  it('for a port that is taken ends with 1 and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const program = Program.run('main.js', [], {
      ...shared.databaseEnv,
      PORT: port,
    });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(/EADDRINUSE.*: set another HOST or PORT\n$/);
    other.close();
  });
});
