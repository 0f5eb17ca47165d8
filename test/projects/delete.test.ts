import { type Project } from '../../clients/typescript/src/index.js';
import { type ListPage } from '../support/server.js';
import { describe, expect, it } from 'vitest';
import { useProjects } from './use-projects.js';

const { server, tenant, ask, make } = useProjects();

describe('DELETE /v1/projects/{id}', () => {
  it('removes the project from reads and lists', async () => {
    const { id } = await make();
    const { status, text } = await ask('DELETE', `/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await ask('GET', `/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `/${id}`, { name: 'Gone' })).status).toBe(404);
    expect((await ask('DELETE', `/${id}`)).status).toBe(404);
    expect((await server.list({ ...tenant, project_id: id })).status).toBe(404);
    const { body } = await ask<ListPage<Project>>('GET', '?limit=100');
    expect(body.data.map((project) => project.id)).not.toContain(id);
  });

  it('returns 409 and changes nothing if the project owns pages or monitors', async () => {
    const project_id = (await make()).id;
    const owner = { ...tenant, project_id };
    const page = await server.page(owner);
    const refused = await ask('DELETE', `/${project_id}`);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'conflict',
      'The project still contains resources. Delete them first.',
    ]);
    await server.ask(`/v1/status-pages/${page.id}`, { method: 'DELETE', key: tenant.key });
    const [monitor] = await server.monitors(owner, 1);
    expect((await ask('DELETE', `/${project_id}`)).status).toBe(409);
    await server.sql('DELETE FROM monitors WHERE id = $1', [monitor]);
    expect((await ask('DELETE', `/${project_id}`)).status).toBe(204);
  });

  it('keeps both project and new resource, or returns 404 to the concurrent creation', async () => {
    for (let round = 0; round < 60; round++) {
      const project_id = (await make()).id;
      const json = { project_id, name: 'Race' };
      const file = { headers: { 'Content-Type': 'application/yaml' }, body: 'endpoints: [{ name: API }]' };
      const creations = [
        () => server.ask('/v1/status-pages', { method: 'POST', key: tenant.key, json }),
        () => server.ask('/v1/monitors', { method: 'POST', key: tenant.key, json }),
        () =>
          server.ask(`/v1/imports/gatus?project_id=${project_id}`, {
            method: 'POST',
            key: tenant.key,
            ...file,
          }),
      ];
      const [made, deleted] = await Promise.all([creations[round % 3]?.(), ask('DELETE', `/${project_id}`)]);
      const outcome = made?.status === 201 ? [201, 409] : [404, 204];
      expect([made?.status, deleted.status]).toEqual(outcome);
    }
  });
});
