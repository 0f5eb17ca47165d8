import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataSource } from '../../src/platform/database/open-data-source.js';
import { directly } from '../support/database.js';
import { cli, Program, startProgram, stop } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/**
 * A further parameter of a startup message, inserted before its final zero, which makes the session
 * read-only.
 */
function readOnly(message: Buffer): Buffer {
  const parameter = Buffer.from('default_transaction_read_only\0on\0\0');
  const longer = Buffer.concat([message.subarray(0, -1), parameter]);
  longer.writeInt32BE(longer.length);
  return longer;
}

describe('URL of several hosts', () => {
  it('appears in an error with all hosts but without the password', async () => {
    const url = 'postgres://ann:sesame@127.0.0.1:1,127.0.0.1:2/pages';
    await expect(openDataSource({ url }, 2)).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1, 127\.0\.0\.1:2, database "pages": connection refused$/,
    );
  });
});

describe('server with a URL of two hosts', { tags: ['postgres'] }, () => {
  let first: DatabaseProxy;
  let second: DatabaseProxy;
  /** Handles the first message of a connection to the first host. */
  let startup: (message: Buffer) => Buffer | null;

  beforeEach(async () => {
    startup = (message) => message;
    const url = directly(server.databaseEnv['DATABASE_URL']);
    first = await DatabaseProxy.start(url, (message) => startup(message));
    second = await DatabaseProxy.start(url);
  });
  afterEach(async () => {
    await Program.killAll();
    await Promise.all([first.stop(), second.stop()]);
  });

  function environment(attributes?: string): Record<string, string> {
    const { host } = new URL(first.url);
    const both = new URL(first.url);
    if (attributes !== undefined) both.searchParams.set('target_session_attrs', attributes);
    const DATABASE_URL = both.href.replace(host, `${host},${new URL(second.url).host}`);
    return { ...server.databaseEnv, DATABASE_URL, RATE_LIMIT: '0' };
  }

  async function rename({ url }: { url: string }, name = 'New'): Promise<number> {
    const { status } = await fetch(`${url}/v1/projects/${tenant.project_id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return status;
  }

  it('uses the second host while the first is down, and vice versa', async () => {
    first.cut();
    const program = await startProgram(environment());
    expect(await rename(program)).toBe(200);
    second.cut();
    first.mend();
    await until(async () => (await rename(program)) === 200);
    expect(first.connections).toBeGreaterThan(0);
    await stop(program);
  });

  it('skips a read-only host, as does the command line', async () => {
    startup = readOnly;
    const env = environment('read-write');
    const program = await startProgram(env);
    expect(await rename(program)).toBe(200);
    expect((await fetch(`${program.url}/health/ready`)).status).toBe(200);
    await stop(program);
    expect(await cli(env, 'organization', 'create', '--name', 'Written')).toMatchObject({ code: 0 });
  });

  it('closes its connections to the old host after a switch', async () => {
    const program = await startProgram(environment());
    const writes = () =>
      Promise.all(Array.from({ length: 20 }, (_, index) => rename(program, `New ${index}`)));
    await writes();
    expect(first.connections).toBeGreaterThan(1);
    expect(second.connections).toBe(0);
    startup = () => null; // open connections stay
    first.cutOne();
    await until(async () => {
      await Promise.all([writes(), fetch(`${program.url}/health/ready`)]);
      return first.connections === 0 && second.connections > 0;
    });
    expect(new Set(await writes())).toEqual(new Set([200]));
    await stop(program);
  });
});
