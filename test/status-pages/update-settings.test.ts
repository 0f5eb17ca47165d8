import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { type Answer, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const change = (id: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  server.ask(`/v1/status-pages/${id}/settings`, { method: 'PATCH', key: tenant.key, json, headers });

const SETTINGS = {
  slug: 'set',
  description: 'Changed.',
  custom_domain: 'settings.example',
  show_powered_by: false,
  show_history: false,
  history_days: 30,
  rss_enabled: false,
  subscribe_enabled: true,
};

describe('PATCH /v1/status-pages/{id}/settings', () => {
  it.each(Object.entries(SETTINGS))('changes only %s', async (field, value) => {
    const { id } = await server.page(tenant);
    const { body: before } = await change(id, {});
    const { status, body, headers } = await change(id, { [field]: value });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before.data, [field]: value, updated_at: body.data.updated_at });
    expect(body.data.updated_at > before.data.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    await server.sql('DELETE FROM status_pages WHERE id = $1', [id]);
  });

  it('stores the description as sent', async () => {
    const { id } = await server.page(tenant);
    const description = '  kept as sent \t';
    expect((await change(id, { description })).body.data.description).toBe(description);
  });

  it('changes nothing for equal values or an empty body, not even updated_at', async () => {
    const { id } = await server.page(tenant, SETTINGS);
    const { body: before } = await change(id, {});
    for (const patch of [{}, SETTINGS, { custom_domain: 'SETTINGS.example' }])
      expect((await change(id, patch)).body.data).toEqual(before.data);
    await server.sql('DELETE FROM status_pages WHERE id = $1', [id]);
  });

  it('changes nothing if a field is invalid, and lists every invalid field', async () => {
    const { id } = await server.page(tenant);
    const { text: before } = await change(id, {});
    const { status, body } = await change(id, {
      description: 'Good',
      slug: 'www',
      custom_domain: '1.2.3.4',
      history_days: 366,
      rss_enabled: null,
      name: 'Elsewhere',
      sections: [],
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown_field', '#/name'],
      ['unknown_field', '#/sections'],
      ['reserved', '#/slug'],
      ['out_of_range', '#/history_days'],
      ['invalid_type', '#/rss_enabled'],
      ['invalid_format', '#/custom_domain'],
    ]);
    expect((await change(id, {})).text).toBe(before);
    const details = new Map(body.errors.map(({ detail, pointer }) => [pointer, detail]));
    expect(details.get('#/name')).toBe('can only be changed with PATCH /v1/status-pages/{id}');
    expect(details.get('#/slug')).toMatch(/^is a reserved word; .*openapi\.json/);
  });

  it('accepts each field of a page or returns the reason', async () => {
    const { id } = await server.page(tenant);
    const { body: page } = await change(id, {});
    const { body } = await change(id, page.data);
    expect(body.errors.map(({ detail }) => detail)).not.toContain('is not a field of this operation');
    expect(body.errors).toHaveLength(8);
  });

  it('accepts null only for custom_domain, which removes it', async () => {
    const { id } = await server.page(tenant, { custom_domain: 'null.example' });
    expect((await change(id, { custom_domain: null })).body.data.custom_domain).toBeNull();
    for (const field of Object.keys(SETTINGS).filter((name) => name !== 'custom_domain'))
      expect((await change(id, { [field]: null })).status).toBe(400);
  });

  it('returns 409 with each value taken by another page and changes nothing', async () => {
    await server.page(tenant, { slug: 'theirs', custom_domain: 'theirs.example' });
    const { id } = await server.page(tenant, { slug: 'ours' });
    const { text: before } = await change(id, {});
    const taken = { slug: 'theirs', custom_domain: 'theirs.example', description: 'Changed' };
    const body = expectProblem(await change(id, taken), 409, 'conflict');
    expect(body.errors).toMatchObject([
      { code: 'taken', pointer: '#/slug' },
      { code: 'taken', pointer: '#/custom_domain' },
    ]);
    expectProblem(await change(id, { slug: 'ours', custom_domain: 'theirs.example' }), 409, 'conflict', {
      code: 'taken',
      pointer: '#/custom_domain',
    });
    expect((await change(id, {})).text).toBe(before);
  });

  it('returns 404 and 412 before 409', async () => {
    await server.page(tenant, { slug: 'occupied' });
    const { id } = await server.page(tenant);
    const patch = { slug: 'occupied' };
    expect((await change(id, patch)).status).toBe(409);
    const stale = { 'If-Match': '"2020-01-01T00:00:00.000Z"' };
    const path = `/v1/status-pages/${id}/settings`;
    const asked = { method: 'PATCH', key: tenant.key, json: patch };
    expect((await server.ask(path, { ...asked, headers: stale })).status).toBe(412);
    const nowhere = '/v1/status-pages/0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01/settings';
    expect((await server.ask(nowhere, asked)).status).toBe(404);
  });

  it('gives a slug to one of many concurrent requests and returns 409 otherwise', async () => {
    const pages = await Promise.all(Array.from({ length: 5 }, () => server.page(tenant)));
    for (let round = 0; round < 20; round++) {
      const patch = { slug: `raced-${round}`, custom_domain: `raced-${round}.example` };
      const answers = await Promise.all(pages.map(({ id }) => change(id, patch)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body.errors).toMatchObject([{ code: 'taken' }, { code: 'taken' }]);
    }
  });

  it("returns 409, never 503, if two pages want each other's slug", async () => {
    const [a, b] = [
      await server.page(tenant, { slug: 'swap-a' }),
      await server.page(tenant, { slug: 'swap-b' }),
    ];
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          index % 2 ? change(a.id, { slug: 'swap-b' }) : change(b.id, { slug: 'swap-a' }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    }
  });

  it('keeps all concurrent changes of settings and page', async () => {
    const { id } = await server.page(tenant);
    for (let round = 1; round <= 20; round++) {
      const answers = await Promise.all([
        change(id, { history_days: round }),
        change(id, { description: `Round ${round}` }),
        server.patch(tenant, id, { name: `Round ${round}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await change(id, {})).body.data).toMatchObject({
        history_days: round,
        description: `Round ${round}`,
        name: `Round ${round}`,
      });
    }
  });

  it('returns 412 if the version has changed', async () => {
    const { id } = await server.page(tenant);
    for (const patch of [{ description: 'Late' }, {}]) {
      const late = await change(id, patch, { 'If-Match': '"2020-01-01T00:00:00.000Z"' });
      expectProblem(late, 412, 'precondition_failed');
    }
    const tag = String((await change(id, {})).headers.get('etag'));
    expect((await change(id, { description: 'In time' }, { 'If-Match': tag })).status).toBe(200);
  });

  it('returns 404 for an unknown page', async () => {
    for (const patch of [{}, SETTINGS])
      expect((await change('0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01', patch)).status).toBe(404);
  });
});
