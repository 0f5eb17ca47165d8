import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewWebhookEndpoint } from '../../clients/typescript/src/index.js';
import { EndpointRecipients } from '../../src/webhooks/endpoint-recipients.js';
import { expectProblem } from '../support/expectations.js';
import { URL_OF_TEST, useEndpoints } from './use-endpoints.js';

const { server, tenant, ask, createEndpoint, set } = useEndpoints();

const DAY_MS = 86_400_000;

async function rotate(id: string, headers: Record<string, string> = {}): Promise<NewWebhookEndpoint> {
  const { status, body } = await ask<{ data: NewWebhookEndpoint }>(
    'POST',
    `/${id}/rotate-secret`,
    {},
    headers,
  );
  expect(status).toBe(200);
  return body.data;
}

async function secretsOf(id: string): Promise<string[] | undefined> {
  const [endpoint] = await server.app.get(EndpointRecipients).find([id]);
  return endpoint?.secrets;
}

describe('the secret of a webhook endpoint', () => {
  it('consists of 32 random bytes, and is stored encrypted', async () => {
    const [{ id, secret }, other] = [await createEndpoint(), await createEndpoint()];
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(other.secret).not.toBe(secret);
    const [row] = await server.sql<{ secret: Buffer }[]>(
      'SELECT secret FROM webhook_endpoints WHERE id = $1',
      [id],
    );
    expect(row?.secret.includes(secret)).toBe(false);
    expect(row?.secret.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
    expect(await secretsOf(id)).toEqual([secret]);
  });

  it('appears only in the responses to its creation and rotation', async () => {
    const { id, ...rest } = await createEndpoint();
    const rotated = await rotate(id);
    const answers = [
      await ask('GET', `/${id}`),
      await ask('GET', `?project_id=${tenant.project_id}&limit=100`),
      await ask('PATCH', `/${id}`, { description: 'Changed' }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      for (const secret of [rest.secret, rotated.secret, 'whsec_', '"secret"', '"former_secret"'])
        expect(text).not.toContain(secret);
    }
  });

  it('signs along for 24 hours after a rotation', async () => {
    const { id, secret: first, updated_at } = await createEndpoint();
    const before = Date.now();
    const { secret: second, ...endpoint } = await rotate(id);
    expect(second).not.toBe(first);
    expect(Date.parse(endpoint.former_secret_until ?? '') - before).toBeGreaterThanOrEqual(DAY_MS);
    expect(Date.parse(endpoint.former_secret_until ?? '') - Date.now()).toBeLessThanOrEqual(DAY_MS);
    expect(endpoint.updated_at > updated_at).toBe(true);
    expect((await ask('GET', `/${id}`)).body.data).toEqual(endpoint);
    expect(await secretsOf(id)).toEqual([second, first]);
    await set(id, `former_secret_until = now() - interval '1 millisecond'`);
    expect(await secretsOf(id)).toEqual([second]);
  });

  it('keeps only the latest predecessor after two rotations', async () => {
    const { id } = await createEndpoint();
    const [{ secret: second }, { secret: third }] = [await rotate(id), await rotate(id)];
    expect(await secretsOf(id)).toEqual([third, second]);
  });

  it('changes only in the expected version', async () => {
    const { id, updated_at } = await createEndpoint();
    const headers = { 'If-Match': `"${updated_at}"` };
    const { secret } = await rotate(id, headers);
    expectProblem(await ask('POST', `/${id}/rotate-secret`, {}, headers), 412, 'precondition_failed');
    expect((await secretsOf(id))?.[0]).toBe(secret);
  });

  it('changes only with a key that can access its project', async () => {
    const { id, secret } = await createEndpoint();
    const other = await server.tenant();
    const narrowed = await server.key(tenant.organization_id, { project_ids: [other.project_id] });
    for (const { key } of [other, narrowed])
      expectProblem(await ask('POST', `/${id}/rotate-secret`, {}, {}, key), 404, 'not_found');
    expect(await secretsOf(id)).toEqual([secret]);
  });
});

describe('EndpointRecipients', () => {
  it('finds endpoints of all organizations with what the delivery needs', async () => {
    const other = await server.tenant();
    const { id: status_page_id } = await server.page(tenant);
    const own = await createEndpoint({ status_page_id, format: 'slack', status: 'disabled' });
    const json = { project_id: other.project_id, url: URL_OF_TEST };
    const foreign = (await ask<{ data: NewWebhookEndpoint }>('POST', '', json, {}, other.key)).body.data;
    const ids = [own.id, foreign.id, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01'];
    const found = await server.app.get(EndpointRecipients).find(ids);
    expect(found.toSorted((one, two) => (one.id < two.id ? -1 : 1))).toEqual([
      {
        id: own.id,
        organization_id: tenant.organization_id,
        project_id: tenant.project_id,
        status_page_id,
        url: URL_OF_TEST,
        format: 'slack',
        status: 'disabled',
        failing_since: null,
        secrets: [own.secret],
      },
      expect.objectContaining({ id: foreign.id, organization_id: other.organization_id }),
    ]);
  });

  it('finds an endpoint without secrets if the instance does not have the key any more', async () => {
    const [lost, kept] = [await createEndpoint(), await createEndpoint()];
    await server.sql('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [
      lost.id,
      Buffer.concat([Buffer.of(1), randomBytes(90)]),
    ]);
    expect(await secretsOf(lost.id)).toEqual([]);
    expect(await secretsOf(kept.id)).toEqual([kept.secret]);
    const { secret } = await rotate(lost.id);
    expect(await secretsOf(lost.id)).toEqual([secret]);
  });
});
