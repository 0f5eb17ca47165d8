import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { type Answer, until, useTenant, useTestServer } from '../support/server.js';
import { domainsOf } from './use-domains.js';

const server = useTestServer();
const us = useTenant(server);
const them = useTenant(server);
const domains = domainsOf(server);

const TAKEN = { code: 'taken', pointer: '#/custom_domain' };

const ask = (path: string, method: string, json: object = {}) =>
  server.ask(`/v1/status-pages${path}`, { method, key: us.key, json });

const create = (custom_domain: string) =>
  ask('', 'POST', { project_id: us.project_id, name: 'Page', custom_domain });

describe('a domain', () => {
  it('can be claimed by several organizations while none of them has verified it', async () => {
    const custom_domain = `${randomUUID()}.example`;
    const { id } = await server.page(them, { custom_domain });
    expect((await create(custom_domain)).status).toBe(201);
    await domains.set(id, `status = 'lost'`);
    const { id: other } = await server.page(us);
    expectProblem(await ask(`/${other}/settings`, 'PATCH', { custom_domain }), 409, 'conflict', TAKEN);
  });

  it('becomes unavailable to all other organizations once one has verified it, also in a restore', async () => {
    const custom_domain = `${randomUUID()}.example`;
    const { id: deleted } = await server.page(us, { custom_domain });
    await ask(`/${deleted}`, 'DELETE');
    const { id: revised } = await server.page(us, { custom_domain });
    await ask(`/${revised}/settings`, 'PATCH', { custom_domain: null });
    await domains.page(them, custom_domain);
    expectProblem(await create(custom_domain), 409, 'conflict', TAKEN);
    expectProblem(await create(custom_domain.toUpperCase()), 409, 'conflict', TAKEN);
    expectProblem(await ask(`/${revised}/settings`, 'PATCH', { custom_domain }), 409, 'conflict', TAKEN);
    expectProblem(await ask(`/${revised}/revisions/1/restore`, 'POST'), 409, 'conflict', TAKEN);
    expectProblem(await ask(`/${deleted}/restore`, 'POST'), 409, 'conflict', TAKEN);
    expect((await ask(`/${deleted}/restore`, 'POST', { custom_domain: null })).status).toBe(200);
  });

  it('permits other changes of a page that had claimed it before', async () => {
    const custom_domain = `${randomUUID()}.example`;
    const { id } = await server.page(us, { custom_domain });
    await domains.page(them, custom_domain);
    const { status } = await ask(`/${id}/settings`, 'PATCH', { custom_domain, description: 'Changed' });
    expect(status).toBe(200);
    expect((await ask(`/${id}/revisions/1/restore`, 'POST')).status).toBe(200);
  });

  it('becomes available again when its page is deleted or loses it', async () => {
    const [one, other] = [`${randomUUID()}.example`, `${randomUUID()}.example`];
    const deleted = await domains.page(them, one);
    await server.ask(`/v1/status-pages/${deleted.id}`, { method: 'DELETE', key: them.key });
    expect((await create(one)).status).toBe(201);
    const lost = await domains.page(them, other);
    await domains.set(lost.id, `status = 'lost'`);
    expect((await create(other)).status).toBe(201);
  });

  it('cannot be the host of PUBLIC_URL, which serves the API', async () => {
    const { id } = await server.page(us);
    expectProblem(
      await ask(`/${id}/settings`, 'PATCH', { custom_domain: 'localhost' }),
      409,
      'conflict',
      TAKEN,
    );
  });
});

describe('a domain that another page of the organization gets concurrently', { tags: ['postgres'] }, () => {
  /** Sends a request while another page has the domain in an open transaction, and commits once the request waits. */
  async function raced(custom_domain: string, send: () => Promise<Answer>): Promise<Answer> {
    const { id } = await server.page(us);
    const runner = server.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    const [holder]: { pid: number }[] = await runner.query('SELECT pg_backend_pid() AS pid');
    await runner.query('UPDATE status_pages SET custom_domain = $1 WHERE id = $2', [custom_domain, id]);
    const answer = send();
    try {
      await until(async () => {
        const waiting = await server.sql<unknown[]>(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
          [holder?.pid],
        );
        return waiting.length > 0;
      });
    } finally {
      await runner.commitTransaction();
      await runner.release();
    }
    return answer;
  }

  it.each([
    [
      'change of settings',
      async (custom_domain: string) => {
        const { id } = await server.page(us);
        return () => ask(`/${id}/settings`, 'PATCH', { custom_domain });
      },
    ],
    ['creation', async (custom_domain: string) => () => create(custom_domain)],
    [
      'restored page',
      async (custom_domain: string) => {
        const { id } = await server.page(us, { custom_domain });
        await ask(`/${id}`, 'DELETE');
        return () => ask(`/${id}/restore`, 'POST');
      },
    ],
    [
      'restored revision',
      async (custom_domain: string) => {
        const { id } = await server.page(us, { custom_domain });
        await ask(`/${id}/settings`, 'PATCH', { custom_domain: null });
        return () => ask(`/${id}/revisions/1/restore`, 'POST');
      },
    ],
  ])('causes 409 with the field for a %s, not the error of the index', async (_, prepare) => {
    const custom_domain = `${randomUUID()}.example`;
    const send = await prepare(custom_domain);
    expectProblem(await raced(custom_domain, send), 409, 'conflict', TAKEN);
  });
});
