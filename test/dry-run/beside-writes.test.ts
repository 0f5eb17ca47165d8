import { describe, expect, it } from 'vitest';
import type { Incident, Monitor, StatusPageRevision } from '../../clients/typescript/src/index.js';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);
const ROUNDS = 6;

describe('dry runs beside real writes of the same rows', () => {
  it('succeed, and leave only what the writes have written', async () => {
    const { project_id, key } = tenant;
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    const page = await server.page(tenant, {
      sections: [{ id: 'core', title: 'Core', monitor_ids: [monitor_id] }],
    });
    const { id } = await server.client(key).incidents.create({ project_id, title: 'Open' });
    const writes = (name: string): [method: string, path: string, json: object][] => [
      ['PATCH', `/v1/status-pages/${page.id}`, { name }],
      ['PATCH', `/v1/monitors/${monitor_id}`, { name }],
      ['POST', '/v1/monitors', { project_id, name, key: name }],
      ['POST', `/v1/incidents/${id}/updates`, { status: 'identified', body: name }],
      [
        'POST',
        '/v1/incidents',
        { project_id, title: name, monitors: [{ monitor_id, status: 'major_outage' }] },
      ],
      ['POST', '/v1/monitor-reports', { project_id, reports: [{ monitor_id, status: 'operational' }] }],
    ];
    const names = Array.from({ length: ROUNDS }, (_, round) => `${round % 2 === 0 ? 'wet' : 'dry'}-${round}`);
    const answers = await Promise.all(
      names.flatMap((name) =>
        writes(name).map(async ([method, path, json]) => {
          const isDry = name.startsWith('dry');
          const answer = await server.ask(`${path}?dry_run=${isDry}`, { method, key, json });
          return { isDry, path, ...answer };
        }),
      ),
    );
    expect(answers.filter(({ status }) => status >= 300).map(({ path, text }) => [path, text])).toEqual([]);

    const listed = async <T>(path: string) => {
      const { body } = await server.ask<ListPage<T>>(path, { key });
      return body.data;
    };
    const wet = names.filter((name) => name.startsWith('wet')).toSorted();
    const query = `project_id=${project_id}&limit=100`;
    const monitors = await listed<Monitor>(`/v1/monitors?${query}`);
    const keys = monitors.flatMap((monitor) => monitor.key ?? []);
    expect(keys.toSorted()).toEqual(wet);
    expect(wet).toContain(monitors.find((monitor) => monitor.id === monitor_id)?.name);
    const incidents = await listed<Incident>(`/v1/incidents?${query}`);
    expect(incidents.map(({ title }) => title).toSorted()).toEqual(['Open', ...wet]);
    const updates = await listed<{ body: string }>(`/v1/incidents/${id}/updates?limit=100`);
    expect(updates.filter(({ body }) => body.startsWith('dry'))).toEqual([]);
    const revisions = await listed<StatusPageRevision>(`/v1/status-pages/${page.id}/revisions?limit=100`);
    expect(revisions.map(({ number }) => number)).toEqual(
      Array.from({ length: 1 + wet.length }, (_, index) => 1 + wet.length - index),
    );
    const dry = answers.filter(({ isDry }) => isDry).map(({ headers }) => headers.get('x-request-id'));
    const [recorded] = await server.sql<{ count: number }[]>(
      'SELECT count(*)::integer AS count FROM events WHERE request_id = ANY($1::uuid[])',
      [dry],
    );
    expect([dry.length, recorded?.count]).toEqual([(ROUNDS / 2) * writes('').length, 0]);
  });
});
