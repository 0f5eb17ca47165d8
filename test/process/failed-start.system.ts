import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { callCli, Program, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const directory = useDirectory();
const shared = useTestServer();

describe('a start that cannot be', () => {
  it('for bad variables ends with 1 and names every one of them, never a value', async () => {
    const bad = { PORT: 'sesame', DEMO: 'sesame', DATABASE_URL: 'sesame' };
    const program = Program.run('main.js', [], { DATA_DIR: directory.path, ...bad });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(
      /^Status Pages could not start: PORT must .*\nDATABASE_URL must .*\nDEMO must .*\n$/,
    );
    expect(program.stdout + program.stderr).not.toContain('sesame');
  });

  it('for a certificate that is missing ends with 1, names its parameter and file, and never the password', async () => {
    const url = 'postgres://u:sesame@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/nowhere/ca.crt';
    const reason = 'DATABASE_URL has the sslrootcert "/nowhere/ca.crt", which cannot be read (ENOENT)\n';
    for (const WEB_CONCURRENCY of ['1', '2']) {
      const program = Program.run('main.js', [], { DATABASE_URL: url, PORT: '0', WEB_CONCURRENCY });
      expect(await program.exit()).toBe(1);
      expect(program.stdout + program.stderr).toBe(`Status Pages could not start: ${reason}`);
    }
    const { code, stdout, stderr } = await callCli({ DATABASE_URL: url, EMBEDDED: '' }, 'demo');
    expect([code, stdout + stderr]).toEqual([1, `error: ${reason}`]);
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
