import { beforeAll, describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { type Operation, operationsOf, otherOperations, RESOURCES, sampleOf } from '../support/resources.js';
import { useIdempotency } from './use-idempotency.js';

const { server, tenant, newKey } = useIdempotency();
/** Each request succeeds after the preceding ones. */
let operations: Operation[];

beforeAll(async () => {
  operations = [];
  for (const resource of RESOURCES)
    operations.push(...operationsOf(resource, await sampleOf(server, tenant, resource)));
  operations.push(...(await otherOperations(server, tenant)));
});

describe('every POST', () => {
  it('in the OpenAPI document accepts an Idempotency-Key and is tested here', async () => {
    const { body } = await server.ask<{
      paths: Record<string, { post?: { parameters?: { name: string }[] } }>;
    }>('/openapi.json');
    const documented = Object.entries(body.paths).flatMap(([path, { post }]) =>
      post ? [{ path, takes: post.parameters?.some(({ name }) => name === 'Idempotency-Key') }] : [],
    );
    expect(documented.filter(({ takes }) => takes !== true)).toEqual([]);
    const posts = operations.filter(({ ask }) => ask.method === 'POST');
    const tried = posts.map(({ route }) => route.slice('POST '.length).replaceAll(/:(\w+)/g, '{$1}'));
    expect([...new Set(tried)].toSorted()).toEqual(documented.map(({ path }) => path).toSorted());
  });

  it('creates its resource once and replays status, Location, ETag and body', async () => {
    for (const { route, path, ask } of operations) {
      const send = () =>
        server.ask(path, { ...ask, key: tenant.key, headers: { ...ask.headers, 'Idempotency-Key': key } });
      const key = newKey();
      const first = await send();
      if (ask.method !== 'POST') continue;
      const before = await hashesOf(server);
      const second = await send();
      const described = (answer: typeof first) => [
        route,
        answer.status,
        answer.headers.get('location'),
        answer.headers.get('etag'),
        answer.headers.get('content-type'),
      ];
      expect([200, 201]).toContain(first.status);
      expect(described(second)).toEqual(described(first));
      expect([route, second.headers.get('idempotency-replayed')]).toEqual([route, 'true']);
      if (!/api-keys|preview-links|access\/links|POST \/v1\/webhook-endpoints/.test(route))
        expect(second.text).toBe(first.text);
      expect(await hashesOf(server)).toEqual(before);
    }
  });
});
