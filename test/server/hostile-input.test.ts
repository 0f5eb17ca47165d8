import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, useTenant, useTestServer, type WirePage } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
let page: WirePage;

beforeAll(async () => {
  const { id } = await server.page(tenant, {
    sections: [{ id: 'a', title: 'A', monitor_ids: await server.monitors(tenant, 2) }],
  });
  page = (await server.patch(tenant, id, {})).body.data;
});

const RUNS = { numRuns: 150 };

/** A client error: a 4xx with a complete problem document. */
function expectClientError({ status, headers, body }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(body).toMatchObject({
    status,
    type: `/problems/${body.code}`,
    request_id: headers.get('x-request-id'),
  });
}

const patchRaw = (body: string | Uint8Array) =>
  server.ask(`/v1/status-pages/${page.id}`, {
    method: 'PATCH',
    key: tenant.key,
    headers: { 'Content-Type': 'application/json' },
    body,
  });

/** Strings with special characters. */
const nastyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '__proto__',
    'constructor',
    '\u202e',
    '%00',
    "'; --",
    '${x}',
    '\ufffe',
  ),
);

const keys = fc.oneof(
  fc.constantFrom(
    'name',
    'is_public',
    'accent_color',
    'sections',
    'id',
    'title',
    'monitor_ids',
    '__proto__',
    'constructor',
    'toString',
    'length',
  ),
  nastyString,
);

/** JSON values that resemble patches. */
const { value: nastyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double(),
      fc.integer(),
      nastyString,
      fc.constantFrom(-0, 2 ** 53),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map((entries) => {
      const object: object = JSON.parse('{}');
      for (const [key, value] of entries) {
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      }
      return object;
    }),
  ),
}));

describe('random input never causes 5xx', () => {
  it('in a JSON body, which is stored or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(nastyJson, async (json) => {
        const answer = await patchRaw(JSON.stringify(json));
        if (answer.status === 200) {
          expect(answer.body.data).toMatchObject({
            ...page,
            ...Object(json),
            updated_at: answer.body.data.updated_at,
          });
          page = answer.body.data;
        } else {
          expectClientError(answer);
          expect((await patchRaw('{}')).body.data).toEqual(page);
        }
      }),
      RUNS,
    );
  });

  it('in each field', async () => {
    const field = fc.constantFrom('name', 'is_public', 'accent_color', 'sections', 'slug', 'id');
    await fc.assert(
      fc.asyncProperty(field, nastyJson, async (name, value) => {
        const answer = await patchRaw(JSON.stringify({ [name]: value }));
        if (answer.status === 200) page = answer.body.data;
        else expectClientError(answer);
      }),
      RUNS,
    );
  });

  it('as the bytes of a body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const answer = await patchRaw(bytes);
        expect(answer.status).toBeLessThan(500);
        if (answer.status !== 200) expectClientError(answer);
      }),
      RUNS,
    );
  });

  it('as a changed byte in a valid body', async () => {
    const body = Buffer.from(JSON.stringify({ name: 'Größe 🚀', sections: page.sections }));
    for (let at = 0; at < body.length; at++) {
      for (const byte of [0x00, 0x22, 0x7b, 0xff]) {
        const changed = Buffer.from(body);
        changed[at] = byte;
        const answer = await patchRaw(changed);
        expect(answer.status).toBeLessThan(500);
      }
    }
    page = (await patchRaw(JSON.stringify({ sections: page.sections }))).body.data;
  });

  it('in the path, the query and each parameter', async () => {
    await fc.assert(
      fc.asyncProperty(nastyString, nastyString, async (name, value) => {
        const [n, v] = [encodeURIComponent(name.toWellFormed()), encodeURIComponent(value.toWellFormed())];
        const ask = (path: string, method = 'GET') =>
          server.ask(path, { key: tenant.key, method, ...(method === 'PATCH' && { json: {} }) });
        expectClientError(await ask(`/v1/status-pages/${v || 'x'}`, 'PATCH'));
        expectClientError(await ask(`/v1/status-pages?project_id=${v}`));
        expectClientError(await ask(`/v1/status-pages?project_id=${tenant.project_id}&cursor=${v}`));
        expect(
          (await ask(`/v1/status-pages?project_id=${tenant.project_id}&limit=${v}`)).status,
        ).toBeLessThan(500);
        expect((await ask(`/v1/status-pages?project_id=${tenant.project_id}&x${n}=${v}`)).status).toBe(400);
        expect((await ask(`/problems/${v || 'x'}`)).status).toBe(404);
      }),
      { numRuns: 50 },
    );
  });

  it('as percent-encoding, well formed or not', async () => {
    const percent = fc
      .array(fc.constantFrom('%', '%0', '%00', '%C0%AF', '%ED%A0%80', '%FF', '%zz', 'a', '%2F', '%2e%2e'))
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(percent, async (text) => {
        const headers = { key: tenant.key };
        expectClientError(
          await server.ask(`/v1/status-pages/x${text}`, { ...headers, method: 'PATCH', json: {} }),
        );
        expectClientError(await server.ask(`/x${text}`, headers));
        expectClientError(await server.ask(`/v1/status-pages?project_id=x${text}`, headers));
        expectClientError(
          await server.ask(`/v1/status-pages?project_id=${tenant.project_id}&x${text}=1`, headers),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('in Authorization and If-Match', async () => {
    const printable = fc.string({ unit: fc.constantFrom(...'Bearer sp_"*W/,\t 2026-11TZ:.é\u00ff') });
    await fc.assert(
      fc.asyncProperty(printable, async (text) => {
        const headers = { Authorization: text };
        expect((await server.ask('/v1/status-pages', { headers })).status).toBe(401);
        const conditional = await server.patch(tenant, page.id, {}, { 'If-Match': text });
        expect([200, 400, 412]).toContain(conditional.status);
      }),
      { numRuns: 50 },
    );
  });
});
