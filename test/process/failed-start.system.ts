import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { callCli, Program, useDirectory } from '../support/process.js';
import { useTestServer } from '../support/server.js';

const directory = useDirectory();
const shared = useTestServer();

describe('failed startup', () => {
  it('lists every invalid variable without its value', async () => {
    const bad = { PORT: 'sesame', DEMO: 'sesame', DATABASE_URL: 'sesame' };
    const program = Program.run('main.js', [], { DATA_DIR: directory.path, ...bad });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(
      /^Status Pages could not start: PORT must .*\nDATABASE_URL must .*\nDEMO must .*\n$/,
    );
    expect(program.stdout + program.stderr).not.toContain('sesame');
  });

  it('names the parameter and the path of a missing certificate', async () => {
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

  it('hides the password of an unavailable database', async () => {
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

  it('reports a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const program = Program.run('main.js', [], {
      ...shared.databaseEnv,
      PORT: port,
    });
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(/EADDRINUSE.*\. Set another HOST or PORT\n$/);
    other.close();
  });
});
