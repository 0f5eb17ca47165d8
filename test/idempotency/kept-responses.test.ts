import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { type Answer, type One, type Tenant, until } from '../support/server.js';
import { type Created, useIdempotency } from './use-idempotency.js';

const MIB = 1024 * 1024;
const { server, tenant, newKey, post, replayed } = useIdempotency();

/** A status page of about 165 kB. */
const LARGE = Array.from({ length: 200 }, (_, index) => ({
  id: `s${index}`,
  title: '\u{1f600}'.repeat(200),
  monitor_ids: [],
}));

/** The bytes of the bodies that are stored for an organization. */
async function storedBytes(organization_id: string): Promise<number> {
  const rows = await server.sql<{ bytes: string | null }[]>(
    `SELECT sum(octet_length(body)) AS bytes FROM idempotency_keys WHERE organization_id = $1`,
    [organization_id],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Copies the response stored for the key `prefix` to `{prefix}-1`, `{prefix}-2` and so on, with bodies of 16 KiB, a second apart,
 * the newest first.
 */
const insertResponses = (to: Tenant, prefix: string, count: number) =>
  server.sql(
    `INSERT INTO idempotency_keys (organization_id, api_key_id, key, fingerprint, status, headers, body, created_at)
     SELECT organization_id, api_key_id, $3 || '-' || number, fingerprint, status, headers, repeat('x', 16384),
            now() - number * interval '1 second'
       FROM idempotency_keys, generate_series(1, $4::int) AS number
      WHERE organization_id = $1 AND key = $2`,
    [to.organization_id, prefix, prefix, count],
  );

const expectNotKept = (answer: Answer<One<Created>>) => {
  expectProblem(answer, 409, 'idempotency_response_not_kept');
  expect([replayed(answer), answer.headers.get('retry-after')]).toEqual(['true', null]);
};

describe('POST with an Idempotency-Key and a response larger than 32 KiB', () => {
  it('stores no response', async () => {
    const own = await server.tenant();
    const page = await server.page(own, { sections: LARGE });
    await server.patch(own, page.id, { name: 'Renamed' });
    const restore = `/v1/status-pages/${page.id}/revisions/1/restore`;
    for (let count = 0; count < 20; count++) {
      const answer = await post(restore, {}, newKey(), own.key);
      expect([answer.status, answer.text.length > 80_000]).toEqual([200, true]);
    }
    expect(await storedBytes(own.organization_id)).toBeLessThan(MIB);
  });

  it('returns 409 with the Location of the resource if repeated', async () => {
    const [key, name] = [newKey(), newKey()];
    const json = { project_id: tenant.project_id, name, sections: LARGE };
    const first = await post('/v1/status-pages', json, key);
    expect(first.status).toBe(201);
    const second = await post('/v1/status-pages', json, key);
    expectNotKept(second);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('access-control-expose-headers')).toContain('Location');
    const pages = await server.sql<object[]>(`SELECT FROM status_pages WHERE name = $1`, [name]);
    expect(pages).toHaveLength(1);
  });

  it('never repeats a restore', async () => {
    const page = await server.page(tenant, { sections: LARGE });
    await server.patch(tenant, page.id, { name: 'Renamed' });
    const restore = `/v1/status-pages/${page.id}/revisions/1/restore`;
    const key = newKey();
    expect((await post(restore, {}, key)).body.data.name).toBe(page.name);
    await server.patch(tenant, page.id, { name: 'Again' });
    const second = await post(restore, {}, key);
    expectNotKept(second);
    expect(second.headers.get('location')).toBeNull();
    const { body } = await server.ask(`/v1/status-pages/${page.id}`, { key: tenant.key });
    expect(body.data.name).toBe('Again');
  });

  it('returns 422 idempotency_key_reused for another request with the same key', async () => {
    const key = newKey();
    const json = { project_id: tenant.project_id, name: 'Large', sections: LARGE };
    await post('/v1/status-pages', json, key);
    const other = await post('/v1/status-pages', { ...json, name: 'Other' }, key);
    expectProblem(other, 422, 'idempotency_key_reused');
  });
});

describe('stored responses to POST requests with an Idempotency-Key', () => {
  it('use at most 16 MiB per organization; the oldest are deleted', async () => {
    const [own, other] = [await server.tenant(), await server.tenant()];
    const first = await post('/v1/projects', { name: 'Project' }, 'created', own.key);
    await post('/v1/status-pages/01a1fe9a-1c2d-7e3f-8a4b-5c6d7e8f9a0b/restore', {}, 'missing', own.key);
    await post('/v1/projects', { name: 'Project' }, 'other', other.key);
    await insertResponses(own, 'created', 1_200);
    await insertResponses(own, 'missing', 1_200);
    await insertResponses(other, 'other', 100);
    // A server checks an organization after 256 KiB of responses.
    const description = '\u{1f600}'.repeat(2_000);
    const made = await until(async () => {
      const json = { project_id: own.project_id, name: newKey(), description };
      const key = newKey();
      const answer = await post('/v1/status-pages', json, key, own.key);
      expect(answer.status).toBe(201);
      return (await storedBytes(own.organization_id)) <= 16 * MIB && { answer, json, key };
    });
    expect(await storedBytes(own.organization_id)).toBeGreaterThan(4 * MIB);
    expect(await storedBytes(other.organization_id)).toBeGreaterThan(100 * 16_384);

    const newest = await post('/v1/status-pages', made.json, made.key, own.key);
    expect([newest.status, newest.text]).toEqual([201, made.answer.text]);
    const kept = await server.sql<object[]>(
      `SELECT FROM idempotency_keys WHERE organization_id = $1 AND key IN ('created-1', 'missing-1') AND body <> ''`,
      [own.organization_id],
    );
    expect(kept).toHaveLength(2);
    const oldest = await post('/v1/projects', { name: 'Project' }, 'created-1200', own.key);
    expectNotKept(oldest);
    expect(oldest.headers.get('location')).toBe(first.headers.get('location'));
    const missing = '/v1/status-pages/01a1fe9a-1c2d-7e3f-8a4b-5c6d7e8f9a0b/restore';
    const error = await post(missing, {}, 'missing-1200', own.key);
    expectProblem(error, 404, 'not_found');
    expect(replayed(error)).toBe('true');
  });
});
