import { beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../support/resources.js';
import { type Tenant, useTestServer } from '../support/server.js';

// Every operation with an id of somebody else: test/resources/operations.test.ts.

const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let us: Tenant;
let them: Tenant;

beforeAll(async () => {
  us = await server.tenant();
  them = await server.tenant();
});

describe("another organization's", () => {
  it('project is, to the byte, a project that never existed', async () => {
    await server.page(them);
    const foreign = await server.list(us, { project_id: them.project_id });
    expect(foreign.status).toBe(404);
    expect(visible(foreign)).toEqual(visible(await server.list(us, { project_id: NEVER })));
  });

  it.each([{ name: 'Taken over' }, { sections: [] }, {}])(
    'page is, to the byte, a page that never existed, and stays as it is: patch %j',
    async (patch) => {
      const { id } = await server.page(them);
      const before = await server.patch(them, id, {});
      const foreign = await server.patch(us, id, patch);
      expect(foreign.status).toBe(404);
      expect(visible(foreign)).toEqual(visible(await server.patch(us, NEVER, patch)));
      expect((await server.patch(them, id, {})).text).toBe(before.text);
    },
  );

  it('page is 404, never 412, whatever If-Match says', async () => {
    const { id, updated_at } = await server.page(them);
    for (const tag of [`"${updated_at.toISOString()}"`, '"x"', '*']) {
      expect((await server.patch(us, id, { name: 'x' }, { 'If-Match': tag })).status).toBe(404);
    }
  });

  it('page or project is 404, never 409, whatever slug and domain are asked for: taken or free', async () => {
    const taken = { slug: 'taken-by-us', custom_domain: 'taken-by-us.example' };
    await server.page(us, taken);
    const { id } = await server.page(them);
    const ask = (path: string, method: string, json: object) =>
      server.ask(path, { method, key: us.key, json });
    for (const wanted of [taken, { slug: 'free', custom_domain: 'free.example' }]) {
      const settings = await ask(`/v1/status-pages/${id}/settings`, 'PATCH', wanted);
      expect(settings.status).toBe(404);
      expect(visible(settings)).toEqual(
        visible(await ask(`/v1/status-pages/${NEVER}/settings`, 'PATCH', wanted)),
      );
      const made = await ask('/v1/status-pages', 'POST', {
        project_id: them.project_id,
        name: 'x',
        ...wanted,
      });
      expect(made.status).toBe(404);
    }
  });

  it('monitors cannot be probed: they are told as those that never existed', async () => {
    const [foreign = ''] = await server.monitors(them, 1);
    const { id } = await server.page(us);
    const ask = (monitor: string) =>
      server.patch(us, id, { sections: [{ id: 'a', title: 'A', monitor_ids: [monitor] }] });
    const answer = await ask(foreign);
    expect(answer.status).toBe(400);
    expect(visible(answer)).toEqual(visible(await ask(NEVER)));
  });

  it('projects and keys are not in the lists', async () => {
    for (const path of ['/v1/projects', '/v1/api-keys']) {
      const { body } = await server.ask(`${path}?limit=100`, { key: us.key });
      const ids = body.data.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(them.project_id);
      expect(ids).not.toContain(them.key_id);
    }
  });

  it('pages are not in the list', async () => {
    const ours = await server.page(us);
    await server.page(them);
    const { body } = await server.list(us, { limit: 100 });
    expect(body.data.map(({ id }) => id)).toContain(ours.id);
    expect(body.data.every(({ project_id }) => project_id === us.project_id)).toBe(true);
  });
});

describe('a key that is narrowed to some projects', () => {
  it('sees these, and of others not that they exist', async () => {
    const second = { ...us, project_id: await server.project(us.organization_id) };
    const { key } = await server.key(us.organization_id, { project_ids: [second.project_id] });
    const inside = await server.page(second);
    const outside = await server.page(us);
    expect((await server.list(second, {}, key)).status).toBe(200);
    expect((await server.patch({ key }, inside.id, { name: 'Inside' })).status).toBe(200);
    expect((await server.patch({ key }, inside.id, { sections: [] })).status).toBe(200);

    const hidden = await server.list(us, {}, key);
    expect(hidden.status).toBe(404);
    expect(visible(hidden)).toEqual(visible(await server.list(us, { project_id: NEVER }, key)));
    for (const patch of [{ name: 'Outside' }, { sections: [] }, {}]) {
      const answer = await server.patch({ key }, outside.id, patch);
      expect(answer.status).toBe(404);
      expect(visible(answer)).toEqual(visible(await server.patch({ key }, NEVER, patch)));
    }
  });

  it('to none sees none', async () => {
    const { key } = await server.key(us.organization_id, { project_ids: [] });
    const { id } = await server.page(us);
    expect((await server.list(us, {}, key)).status).toBe(404);
    expect((await server.patch({ key }, id, {})).status).toBe(404);
  });
});

describe('the database itself refuses', () => {
  it('a page or a monitor in a project of another organization', async () => {
    const page = server.sql(
      `INSERT INTO status_pages (id, organization_id, project_id, name, slug) VALUES ($1, $2, $3, 'x', 'foreign')`,
      [NEVER, us.organization_id, them.project_id],
    );
    await expect(page).rejects.toThrow('status_pages_project_fkey');
    const monitor = server.sql(
      `INSERT INTO monitors (id, organization_id, project_id, name) VALUES ($1, $2, $3, 'x')`,
      [NEVER, us.organization_id, them.project_id],
    );
    await expect(monitor).rejects.toThrow('monitors_project_fkey');
  });
});
