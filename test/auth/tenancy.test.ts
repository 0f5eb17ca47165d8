import { beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../support/routes.js';
import { type Answer, type Ask, type Tenant, useTestServer } from '../support/server.js';

const NEVER = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

const server = useTestServer();
let us: Tenant;
let them: Tenant;

beforeAll(async () => {
  us = await server.tenant();
  them = await server.tenant();
});

/** All that a client can tell an answer by, but for the request id, the date, and the length that go with them. */
function visible({ status, headers, body }: Answer<unknown>): unknown {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, headers: kept, body: JSON.stringify({ ...body, request_id: '' }) };
}

/** Every operation with an id of something that belongs to somebody, by what it names. */
const OPERATIONS: { route: string; ask: (ids: Ids) => [path: string, ask: Ask] }[] = [
  { route: 'GET /v1/status-pages', ask: ({ project }) => [`/v1/status-pages?project_id=${project}`, {}] },
  {
    route: 'POST /v1/status-pages',
    ask: ({ project }) => ['/v1/status-pages', { json: { project_id: project, name: 'Page' } }],
  },
  { route: 'GET /v1/status-pages/:id', ask: ({ page }) => [`/v1/status-pages/${page}`, {}] },
  {
    route: 'PATCH /v1/status-pages/:id',
    ask: ({ page }) => [`/v1/status-pages/${page}`, { json: { name: 'Taken' } }],
  },
  {
    route: 'PATCH /v1/status-pages/:id',
    ask: ({ page }) => [`/v1/status-pages/${page}`, { json: { sections: [] } }],
  },
  { route: 'PATCH /v1/status-pages/:id', ask: ({ page }) => [`/v1/status-pages/${page}`, { json: {} }] },
  {
    route: 'PATCH /v1/status-pages/:id/settings',
    ask: ({ page }) => [`/v1/status-pages/${page}/settings`, { json: { slug: 'taken-over' } }],
  },
  {
    route: 'PATCH /v1/status-pages/:id/settings',
    ask: ({ page }) => [`/v1/status-pages/${page}/settings`, { json: {} }],
  },
  { route: 'DELETE /v1/status-pages/:id', ask: ({ page }) => [`/v1/status-pages/${page}`, {}] },
  { route: 'GET /v1/projects/:id', ask: ({ project }) => [`/v1/projects/${project}`, {}] },
  {
    route: 'PATCH /v1/projects/:id',
    ask: ({ project }) => [`/v1/projects/${project}`, { json: { name: 'Taken' } }],
  },
  { route: 'PATCH /v1/projects/:id', ask: ({ project }) => [`/v1/projects/${project}`, { json: {} }] },
  { route: 'DELETE /v1/projects/:id', ask: ({ project }) => [`/v1/projects/${project}`, {}] },
  { route: 'GET /v1/monitors', ask: ({ project }) => [`/v1/monitors?project_id=${project}`, {}] },
  {
    route: 'POST /v1/monitors',
    ask: ({ project }) => ['/v1/monitors', { json: { project_id: project, name: 'Monitor' } }],
  },
  { route: 'GET /v1/monitors/:id', ask: ({ monitor }) => [`/v1/monitors/${monitor}`, {}] },
  {
    route: 'PATCH /v1/monitors/:id',
    ask: ({ monitor }) => [`/v1/monitors/${monitor}`, { json: { name: 'Taken' } }],
  },
  { route: 'PATCH /v1/monitors/:id', ask: ({ monitor }) => [`/v1/monitors/${monitor}`, { json: {} }] },
  { route: 'DELETE /v1/monitors/:id', ask: ({ monitor }) => [`/v1/monitors/${monitor}`, {}] },
  { route: 'GET /v1/api-keys/:id', ask: ({ apiKey }) => [`/v1/api-keys/${apiKey}`, {}] },
  { route: 'DELETE /v1/api-keys/:id', ask: ({ apiKey }) => [`/v1/api-keys/${apiKey}`, {}] },
  {
    route: 'POST /v1/api-keys/:id/rotate',
    ask: ({ apiKey }) => [`/v1/api-keys/${apiKey}/rotate`, { json: {} }],
  },
  {
    route: 'POST /v1/imports/statuspage',
    ask: ({ project }) => [
      `/v1/imports/statuspage?project_id=${project}`,
      { json: { page: { name: 'Page' }, components: [] } },
    ],
  },
  ...['upptime', 'gatus'].map((format) => ({
    route: `POST /v1/imports/${format}`,
    ask: ({ project }: Ids): [string, Ask] => [
      `/v1/imports/${format}?project_id=${project}`,
      {
        body: 'sites: []\nendpoints: []\nstatus-website: { name: x }\n',
        headers: { 'Content-Type': 'application/yaml' },
      },
    ],
  })),
];

/** Operations that name nothing of anybody's: what they answer is of the key alone, see the tests below. */
const OF_THE_KEY = [
  'GET /v1/projects',
  'POST /v1/projects',
  'GET /v1/api-keys',
  'POST /v1/api-keys',
  'GET /v1/me',
];

interface Ids {
  project: string;
  page: string;
  monitor: string;
  apiKey: string;
}

const NOWHERE: Ids = { project: NEVER, page: NEVER, monitor: NEVER, apiKey: NEVER };

/** A tenant with something of everything. */
async function idsOf(tenant: Tenant): Promise<Ids> {
  const [monitor = ''] = await server.monitors(tenant, 1);
  const sections = [{ id: 'a', title: 'A', monitor_ids: [monitor] }];
  const { id: page } = await server.page(tenant, { sections });
  const { id: apiKey } = await server.key(tenant.organization_id, { project_ids: [tenant.project_id] });
  return { project: tenant.project_id, page, monitor, apiKey };
}

/** All that there is in the database, but for when keys were last used. */
async function everything(): Promise<string> {
  const tables = ['organizations', 'projects', 'monitors', 'status_pages', 'api_keys'];
  const contents = tables.map((table) =>
    server.sql<object[]>(`SELECT to_jsonb(one) - 'last_used_at' AS row FROM ${table} AS one ORDER BY id`),
  );
  return JSON.stringify(await Promise.all(contents));
}

describe('every operation', () => {
  it('is in this test', () => {
    const routes = routesOf(server.app).map(({ method, path }) => `${method} ${path}`);
    const covered = new Set([...OPERATIONS.map(({ route }) => route), ...OF_THE_KEY]);
    expect([...covered].toSorted()).toEqual(routes.filter((route) => route.includes(' /v1/')).toSorted());
  });

  it.each(OPERATIONS)(
    "answers another organization's id, to the byte, as one that never existed: 404, and nothing is changed: $route",
    async ({ route, ask }) => {
      const ids = await idsOf(them);
      const [method = ''] = route.split(' ');
      const send = async (named: Ids, key: string) => {
        const [path, options] = ask(named);
        return server.ask(path, { ...options, method, key });
      };
      const narrowed = await server.key(us.organization_id, { project_ids: [us.project_id] });
      const before = await everything();
      for (const key of [us.key, narrowed.key]) {
        const foreign = await send(ids, key);
        expect([route, foreign.status]).toEqual([route, 404]);
        expect(visible(foreign)).toEqual(visible(await send(NOWHERE, key)));
      }
      expect(await everything()).toBe(before);
      // That it was asked as it must be shows with a key that may.
      expect((await send(ids, them.key)).status).not.toBe(404);
    },
  );

  it.each(OPERATIONS)(
    'takes ids in upper case, and answers them in lower case: $route',
    async ({ route, ask }) => {
      const ids = await idsOf(us);
      const [method = ''] = route.split(' ');
      const { project, page, monitor, apiKey } = ids;
      const [path, options] = ask({
        project: project.toUpperCase(),
        page: page.toUpperCase(),
        monitor: monitor.toUpperCase(),
        apiKey: apiKey.toUpperCase(),
      });
      const { status, text } = await server.ask(path, { ...options, method, key: us.key });
      expect([400, 404]).not.toContain(status);
      for (const id of Object.values(ids)) expect(text).not.toContain(id.toUpperCase());
    },
  );

  it.each(OPERATIONS)(
    'answers the id of a project that its key is not for as one that never existed: $route',
    async ({ route, ask }) => {
      const ids = await idsOf({ ...us, project_id: await server.project(us.organization_id) });
      const [method = ''] = route.split(' ');
      const { key } = await server.key(us.organization_id, { project_ids: [us.project_id] });
      const send = async (named: Ids) => {
        const [path, options] = ask(named);
        return server.ask(path, { ...options, method, key });
      };
      const before = await everything();
      const hidden = await send(ids);
      expect([route, hidden.status]).toEqual([route, 404]);
      expect(visible(hidden)).toEqual(visible(await send(NOWHERE)));
      expect(await everything()).toBe(before);
    },
  );
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
