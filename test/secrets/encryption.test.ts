import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { SecretsRepository } from '../../src/platform/secrets/secrets.repository.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

const PURPOSE = 'webhook secret';
const NO_KEY = 'the instance does not have the key that encrypted the value';
const CHANGED = 'the encrypted value was changed, or has another purpose';

const secrets = (): SecretsService => server.app.get(SecretsService, { strict: false });

afterEach(async () => {
  vi.useRealTimers();
  await server.sql('DELETE FROM secrets WHERE number > 1');
  await secrets().reload();
});

/** The service with the keys of `SECRET_KEY`, in front of those in the database. */
async function withKeys(...keys: string[]): Promise<SecretsService> {
  const env = loadEnv({ ...server.env, SECRET_KEY: keys.join() });
  const service = new SecretsService(server.app.get(SecretsRepository, { strict: false }), env);
  await service.reload();
  return service;
}

const newKey = (): string => randomBytes(32).toString('hex');

describe('SecretsService.encrypt', () => {
  it('returns bytes that decrypt to the text, never the same twice, and without the text', () => {
    for (const text of ['', 'whsec_a', '🔑'.repeat(1_000)]) {
      const [one, other] = [secrets().encrypt(PURPOSE, text), secrets().encrypt(PURPOSE, text)];
      expect(secrets().decrypt(PURPOSE, one)).toBe(text);
      expect(one.equals(other)).toBe(false);
      expect(one).toHaveLength(Buffer.byteLength(text) + 37);
      if (text !== '') expect(one.includes(text)).toBe(false);
    }
  });

  it('separates purposes, and detects each changed byte', () => {
    const bytes = secrets().encrypt(PURPOSE, 'text');
    expect(() => secrets().decrypt('client secret', bytes)).toThrow(CHANGED);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => secrets().decrypt(PURPOSE, changed)).toThrow(Error);
    }
    for (const part of [bytes.subarray(0, -1), bytes.subarray(0, 36), Buffer.of()])
      expect(() => secrets().decrypt(PURPOSE, part)).toThrow(Error);
  });

  it('uses the new key two minutes after a rotation, and decrypts what older keys have encrypted', async () => {
    const before = secrets().encrypt(PURPOSE, 'before');
    const { used_from } = await secrets().rotate();
    const during = secrets().encrypt(PURPOSE, 'during');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(used_from);
    const after = secrets().encrypt(PURPOSE, 'after');
    vi.setSystemTime(used_from.getTime() + 400 * 86_400_000);
    expect([before, during, after].map((bytes) => secrets().decrypt(PURPOSE, bytes))).toEqual([
      'before',
      'during',
      'after',
    ]);
    const keyIdOf = (bytes: Buffer) => bytes.subarray(0, 9).toString('hex');
    expect(keyIdOf(during)).toBe(keyIdOf(before));
    expect(keyIdOf(after)).not.toBe(keyIdOf(before));
  });

  it('uses the first key of SECRET_KEY, and decrypts by the others and those in the database', async () => {
    const [former, current] = [newKey(), newKey()];
    const stored = secrets().encrypt(PURPOSE, 'stored');
    const configured = (await withKeys(former)).encrypt(PURPOSE, 'configured');
    const rotated = await withKeys(current, former);
    expect([stored, configured].map((bytes) => rotated.decrypt(PURPOSE, bytes))).toEqual([
      'stored',
      'configured',
    ]);
    const latest = rotated.encrypt(PURPOSE, 'latest');
    expect((await withKeys(current)).decrypt(PURPOSE, latest)).toBe('latest');
  });

  it('fails with the reason if the key is not in SECRET_KEY any more', async () => {
    const bytes = (await withKeys(newKey())).encrypt(PURPOSE, 'text');
    const others = await withKeys(newKey());
    expect(() => others.decrypt(PURPOSE, bytes)).toThrow(NO_KEY);
    expect(() => secrets().decrypt(PURPOSE, bytes)).toThrow(NO_KEY);
  });
});

describe('SecretsService.verify', () => {
  const DAY_MS = 86_400_000;

  it('accepts signatures by the key in the database for 90 days after SECRET_KEY has replaced it', async () => {
    const mac = secrets().sign('link', 'id');
    const replaced = await withKeys(newKey());
    expect(replaced.sign('link', 'id')).not.toEqual(mac);
    await replaced.reload(); // keeps the time
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const [days, isValid] of [
      [0, true],
      [89.9, true],
      [90.1, false],
    ] as const) {
      vi.setSystemTime(now + days * DAY_MS);
      expect([days, replaced.verify('link', 'id', mac)]).toEqual([days, isValid]);
    }
    await secrets().reload(); // without SECRET_KEY, it is in use again
    expect(secrets().verify('link', 'id', mac)).toBe(true);
  });
});
