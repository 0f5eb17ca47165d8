import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { SCOPES } from '../../src/platform/auth/scopes.js';
import { deadlocksOf } from '../support/deadlocks.js';
import { isThorough } from '../support/thorough.js';
import { useApiKeys } from './use-api-keys.js';

const { server, ask, make } = useApiKeys();

const RUNS = isThorough ? 60 : 20;

it('creating keys with Idempotency-Key during a rotation causes no deadlock', async () => {
  const old = await make({ scopes: [...SCOPES] });
  const { key } = (await ask('POST', `/${old.id}/rotate`, { overlap_seconds: 3_600 })).body.data;
  const before = await deadlocksOf(server);
  const statuses = await Promise.all(
    Array.from({ length: RUNS }, async () => {
      const created = server.ask('/v1/api-keys', {
        method: 'POST',
        key,
        headers: { 'Idempotency-Key': randomUUID() },
        json: { name: 'New', scopes: ['projects:read'] },
      });
      const rotated = ask('POST', `/${old.id}/rotate`, {}, key); // 409 after both keys are locked
      return [(await created).status, (await rotated).status];
    }),
  );
  expect(new Set(statuses.flat())).toEqual(new Set([201, 409]));
  expect(await deadlocksOf(server)).toBe(before);
});
