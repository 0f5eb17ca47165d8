import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { callCli } from '../support/process.js';
import { useCli } from './use-cli.js';

const { server, call } = useCli();

const DAY_MS = 86_400_000;

afterEach(async () => {
  vi.useRealTimers();
  await server.sql('DELETE FROM secrets WHERE number > 1');
  await secrets().reload();
});

const secrets = (): SecretsService => server.app.get(SecretsService, { strict: false });

/** Sets the clock of the server, which runs in this process. */
function setTime(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(time);
}

describe('cli rotate-secret', () => {
  it('creates a key that the server uses after two minutes', async () => {
    const id = randomUUID();
    const before = secrets().sign('link', id);
    const { number, used_from = '' } = await call('rotate-secret');
    expect(number).toBe(2);
    await secrets().reload(); // runs every minute
    expect(secrets().sign('link', id)).toEqual(before);
    setTime(Date.parse(used_from));
    const after = secrets().sign('link', id);
    expect(after).not.toEqual(before);
    setTime(Date.parse(used_from) - 1_000);
    expect(secrets().verify('link', id, after)).toBe(true);
  });

  it('leaves links valid for 90 days, and hashes permanently', async () => {
    const id = randomUUID();
    const link = secrets().sign('link', id);
    const [hash] = secrets().hashes('address', id);
    const { used_from = '', former_valid_until = '' } = await call('rotate-secret');
    await secrets().reload();
    expect(Date.parse(former_valid_until) - Date.parse(used_from)).toBe(90 * DAY_MS - 120_000);
    setTime(Date.parse(former_valid_until) - 1_000);
    expect(secrets().verify('link', id, link)).toBe(true);
    setTime(Date.parse(former_valid_until) + 1_000);
    expect(secrets().verify('link', id, link)).toBe(false);
    const [current, ...others] = secrets().hashes('address', id);
    expect(current).not.toEqual(hash);
    expect(others).toContainEqual(hash);
  });

  it('fails if SECRET_KEY is set, and explains how to rotate it', async () => {
    const result = await callCli({ ...server.env, SECRET_KEY: 'a'.repeat(64) }, 'rotate-secret');
    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(
      'error: SECRET_KEY is set and replaces the key in the database. Put a new key',
    );
    expect(await server.sql('SELECT FROM secrets')).toHaveLength(1);
  });
});
