import { beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../support/resources.js';
import { type Tenant, useTestServer } from '../support/server.js';

// Tests for every operation with an ID of another organization: test/resources/operations.test.ts.

const UNKNOWN_ID = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let us: Tenant;
let them: Tenant;

beforeAll(async () => {
  us = await server.tenant();
  them = await server.tenant();
});

describe("request with another organization's ID", () => {
  it('returns the same response as for an unknown project', async () => {
    await server.page(them);
    const foreign = await server.list(us, { project_id: them.project_id });
    expect(foreign.status).toBe(404);
    expect(visible(foreign)).toEqual(visible(await server.list(us, { project_id: UNKNOWN_ID })));
  });

  it.each([{ name: 'Taken over' }, { sections: [] }, {}])(
    'returns the same 404 as for an unknown status page: patch %j',
    async (patch) => {
      const { id } = await server.page(them);
      const before = await server.patch(them, id, {});
      const foreign = await server.patch(us, id, patch);
      expect(foreign.status).toBe(404);
      expect(visible(foreign)).toEqual(visible(await server.patch(us, UNKNOWN_ID, patch)));
      expect((await server.patch(them, id, {})).text).toBe(before.text);
    },
  );

  it('returns 404 for a status page with any If-Match', async () => {
    const { id, updated_at } = await server.page(them);
    for (const tag of [`"${updated_at.toISOString()}"`, '"x"', '*']) {
      expect((await server.patch(us, id, { name: 'x' }, { 'If-Match': tag })).status).toBe(404);
    }
  });

  it('returns 404 for a status page or project whether the slug is taken or free', async () => {
    const taken = { slug: 'taken-by-us', custom_domain: 'taken-by-us.example' };
    await server.page(us, taken);
    const { id } = await server.page(them);
    const ask = (path: string, method: string, json: object) =>
      server.ask(path, { method, key: us.key, json });
    for (const wanted of [taken, { slug: 'free', custom_domain: 'free.example' }]) {
      const settings = await ask(`/v1/status-pages/${id}/settings`, 'PATCH', wanted);
      expect(settings.status).toBe(404);
      expect(visible(settings)).toEqual(
        visible(await ask(`/v1/status-pages/${UNKNOWN_ID}/settings`, 'PATCH', wanted)),
      );
      const made = await ask('/v1/status-pages', 'POST', {
        project_id: them.project_id,
        name: 'x',
        ...wanted,
      });
      expect(made.status).toBe(404);
    }
  });

  it('returns the same error as for unknown monitors', async () => {
    const [foreign = ''] = await server.monitors(them, 1);
    const { id } = await server.page(us);
    const ask = (monitor: string) =>
      server.patch(us, id, { sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] });
    const answer = await ask(foreign);
    expect(answer.status).toBe(400);
    expect(visible(answer)).toEqual(visible(await ask(UNKNOWN_ID)));
  });

  it('lists no projects or keys of another organization', async () => {
    for (const path of ['/v1/projects', '/v1/api-keys']) {
      const { body } = await server.ask(`${path}?limit=100`, { key: us.key });
      const ids = body.data.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(them.project_id);
      expect(ids).not.toContain(them.key_id);
    }
  });

  it('lists no status pages of another organization', async () => {
    const ours = await server.page(us);
    await server.page(them);
    const { body } = await server.list(us, { limit: 100 });
    expect(body.data.map(({ id }) => id)).toContain(ours.id);
    expect(body.data.every(({ project_id }) => project_id === us.project_id)).toBe(true);
  });
});

describe('key that is limited to projects', () => {
  it('lists only the resources of its projects', async () => {
    const second = { ...us, project_id: await server.project(us.organization_id) };
    const { key } = await server.key(us.organization_id, { project_ids: [second.project_id] });
    const inside = await server.page(second);
    const outside = await server.page(us);
    expect((await server.list(second, {}, key)).status).toBe(200);
    expect((await server.patch({ key }, inside.id, { name: 'Inside' })).status).toBe(200);
    expect((await server.patch({ key }, inside.id, { sections: [] })).status).toBe(200);

    const hidden = await server.list(us, {}, key);
    expect(hidden.status).toBe(404);
    expect(visible(hidden)).toEqual(visible(await server.list(us, { project_id: UNKNOWN_ID }, key)));
    for (const patch of [{ name: 'Outside' }, { sections: [] }, {}]) {
      const answer = await server.patch({ key }, outside.id, patch);
      expect(answer.status).toBe(404);
      expect(visible(answer)).toEqual(visible(await server.patch({ key }, UNKNOWN_ID, patch)));
    }
  });

  it('returns 404 if the list of projects is empty', async () => {
    const { key } = await server.key(us.organization_id, { project_ids: [] });
    const { id } = await server.page(us);
    expect((await server.list(us, {}, key)).status).toBe(404);
    expect((await server.patch({ key }, id, {})).status).toBe(404);
  });
});

describe('database constraints', () => {
  it("prevent a status page or a monitor in another organization's project", async () => {
    const page = server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug) VALUES ($1, $2, $3, 'x', 'foreign')`,
      [UNKNOWN_ID, us.organization_id, them.project_id],
    );
    await expect(page).rejects.toThrow('status_pages_project_fkey');
    const monitor = server.sql(
      `INSERT INTO monitors (id, organization_id, project_id, name) VALUES ($1, $2, $3, 'x')`,
      [UNKNOWN_ID, us.organization_id, them.project_id],
    );
    await expect(monitor).rejects.toThrow('monitors_project_fkey');
  });
});
