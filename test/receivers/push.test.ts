import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hashesOf } from '../support/catalogue.js';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useReceivers } from './use-receivers.js';

const { server, tenant, ask, monitors, keyed, runsOf, deliver } = useReceivers();

const UP = 'operational';
const DOWN = 'major_outage';

/** Returns the status of the last run. */
const statusOf = async (id: string | undefined) => (await runsOf(id)).at(-1)?.[0];

/** Runs curl with options. Returns the status and the output. */
async function curl(...options: string[]): Promise<{ status: number; body: unknown }> {
  const { stdout } = await promisify(execFile)('curl', ['-sS', '-w', '\n%{http_code}', ...options]);
  const [body = '', status] = stdout.split('\n');
  return { status: Number(status), body: JSON.parse(body) };
}

describe('/v1/receivers/push', () => {
  it('reports a monitor from a script that needs only curl', { tags: ['curl'] }, async () => {
    const [id = ''] = await monitors(1);
    const url = `${server.url}/v1/receivers/push?monitor_id=${id}`;
    const bearer = ['-H', `Authorization: Bearer ${tenant.key}`];
    const first = { status: 200, body: { data: { reports: 1, changed: 1 } } };
    const again = { status: 200, body: { data: { reports: 1, changed: 0 } } };
    expect(await curl(...bearer, url)).toEqual(first);
    expect(await statusOf(id)).toBe(UP);
    expect(await curl(...bearer, '-X', 'POST', url)).toEqual(again);
    expect(await curl('-u', `:${tenant.key}`, '-X', 'POST', `${url}&status=${DOWN}`)).toEqual(first);
    expect(await statusOf(id)).toBe(DOWN);
    expect(await curl('-u', `cron:${tenant.key}`, `${url}&status=down&msg=disk+full`)).toEqual(again);
    expect(await curl('-u', `:${tenant.key}`, '-d', '', `${url}&status=up&msg=OK&ping=`)).toEqual(first);
    expect(await statusOf(id)).toBe(UP);
    expect(await curl('-u', ':sp_wrong', url)).toMatchObject({ status: 401 });
  });

  it.each(['GET', 'POST'])('reports the monitor with %s for each status word', async (method) => {
    const [id = ''] = await monitors(1);
    const words = {
      '': UP,
      '&status=degraded_performance': 'degraded_performance',
      '&status=partial_outage': 'partial_outage',
      '&status=major_outage': DOWN,
      '&status=operational': UP,
      '&status=down': DOWN,
      '&status=up': UP,
      '&status=up&msg=OK&ping=12': UP,
    };
    for (const [query, status] of Object.entries(words)) {
      const before = Date.now();
      const answer = await ask(method, `/push?monitor_id=${id.toUpperCase()}${query}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const [found, , last = ''] = (await runsOf(id)).at(-1) ?? [];
      expect([query, found]).toEqual([query, status]);
      expect(new Date(last).getTime()).toBeGreaterThanOrEqual(before);
    }
  });

  it('ignores the body of a POST and keeps the connection open', async () => {
    const [id = ''] = await monitors(1);
    const bodies: [string | undefined, string | undefined][] = [
      [undefined, undefined],
      ['', 'application/x-www-form-urlencoded'],
      ['status=down', 'application/x-www-form-urlencoded'],
      ['{"status":"down"', 'application/json'],
      ['x'.repeat(100_000), undefined],
    ];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const url = `${server.url}/v1/receivers/push?monitor_id=${id}`;
    for (const [body, type] of bodies) {
      const status = await new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${tenant.key}`, ...(type && { 'Content-Type': type }) };
        const sent = request(url, { method: 'POST', agent, headers }, (response) => {
          ports.add(response.socket.localPort);
          response.resume().once('end', () => resolve(response.statusCode));
        });
        sent.once('error', reject).end(body);
      });
      expect([body?.slice(0, 20), status]).toEqual([body?.slice(0, 20), 200]);
    }
    agent.destroy();
    expect(ports.size).toBe(1);
    expect((await runsOf(id)).map(([status]) => status)).toEqual([UP]);
  });

  it('checks a HEAD request and records nothing', async () => {
    const [id = ''] = await monitors(1);
    const before = await hashesOf(server);
    const { status, text } = await ask('HEAD', `/push?monitor_id=${id}&status=down`);
    expect([status, text]).toEqual([200, '']);
    expect(await hashesOf(server)).toEqual(before);
    expect((await ask('HEAD', `/push?monitor_id=${UNKNOWN_ID}`)).status).toBe(404);
    expect((await ask('HEAD', `/push?monitor_id=${id}&status=x`)).status).toBe(400);
    expect((await server.ask(`/v1/receivers/push?monitor_id=${id}`, { method: 'HEAD' })).status).toBe(401);
  });

  it('lists each invalid parameter and records nothing', async () => {
    const before = await hashesOf(server);
    for (const method of ['GET', 'POST']) {
      expectProblem(
        await ask(method, '/push?monitor_id=x&status=UP&msg=%00&observed_at=now'),
        400,
        'validation_failed',
        { code: 'unknown_parameter', parameter: 'observed_at' },
        { code: 'invalid_format', parameter: 'monitor_id' },
        { code: 'invalid_format', parameter: 'status' },
        { code: 'invalid_format', parameter: 'msg' },
      );
      expectProblem(await ask(method, '/push'), 400, 'validation_failed', {
        code: 'required',
        parameter: 'monitor_id',
      });
      expectProblem(await ask(method, `/push?monitor_id=${UNKNOWN_ID}&status=`), 400, 'validation_failed', {
        code: 'invalid_format',
        parameter: 'status',
      });
    }
    expect(await hashesOf(server)).toEqual(before);
  });

  it('returns 404 if the monitor is deleted during the request', async () => {
    for (let round = 0; round < 15; round++) {
      const [id = ''] = await monitors(1);
      const alert = { status: 'firing', labels: { monitor_id: id }, startsAt: new Date().toISOString() };
      const [pushed, delivered, deleted] = await Promise.all([
        ask('POST', `/push?monitor_id=${id}`),
        deliver({ alerts: [alert] }),
        server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key }),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(pushed.status);
      expect([200, 400]).toContain(delivered.status);
      expect(await runsOf(id)).toEqual([]);
    }
  });

  it('returns 404 if the key cannot access the monitor', async () => {
    const [own = ''] = await monitors(1);
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    const other = await server.project(tenant.organization_id);
    const { key } = await server.key(tenant.organization_id, { project_ids: [other] });
    const before = await hashesOf(server);
    for (const method of ['GET', 'POST']) {
      expectProblem(await ask(method, `/push?monitor_id=${foreign}`), 404, 'not_found');
      expectProblem(await ask(method, `/push?monitor_id=${UNKNOWN_ID}`), 404, 'not_found');
      const restricted = await ask(method, `/push?monitor_id=${own}`, undefined, {}, key);
      expectProblem(restricted, 404, 'not_found');
    }
    expect(await hashesOf(server)).toEqual(before);
  });

  describe('with monitor_key', () => {
    const byKey = (monitor_key: string, project_id = tenant.project_id, query = '') =>
      `/push?project_id=${project_id}&monitor_key=${monitor_key}${query}`;

    it('reports the monitor of the project with the key', async () => {
      const id = await keyed('pushed');
      const other = { ...tenant, project_id: await server.project(tenant.organization_id) };
      const ofOther = await keyed('pushed', other);
      for (const method of ['GET', 'POST']) {
        const { status, body } = await ask(method, byKey('pushed', tenant.project_id.toUpperCase()));
        expect([status, body.data.reports]).toEqual([200, 1]);
      }
      expect((await ask('POST', byKey('pushed', tenant.project_id, '&status=down'))).status).toBe(200);
      expect([await statusOf(id), await runsOf(ofOther)]).toEqual([DOWN, []]);
      expect((await ask('POST', byKey('pushed', other.project_id))).status).toBe(200);
      expect(await statusOf(ofOther)).toBe(UP);
    });

    it('checks a HEAD request and records nothing', async () => {
      const id = await keyed('headed');
      expect((await ask('HEAD', byKey('headed'))).status).toBe(200);
      expect((await ask('HEAD', byKey('unknown'))).status).toBe(404);
      expect(await runsOf(id)).toEqual([]);
    });

    it('returns 404 for an unknown key, and for a project that the key cannot access', async () => {
      await keyed('out-of-reach');
      const foreign = await server.tenant();
      await keyed('out-of-reach', foreign);
      const other = await server.project(tenant.organization_id);
      const { key } = await server.key(tenant.organization_id, { project_ids: [other] });
      const before = await hashesOf(server);
      for (const method of ['GET', 'POST']) {
        expectProblem(await ask(method, byKey('unknown')), 404, 'not_found');
        expectProblem(await ask(method, byKey('out-of-reach', other)), 404, 'not_found');
        expectProblem(await ask(method, byKey('out-of-reach', foreign.project_id)), 404, 'not_found');
        expectProblem(await ask(method, byKey('out-of-reach', UNKNOWN_ID)), 404, 'not_found');
        const restricted = await ask(method, byKey('out-of-reach'), undefined, {}, key);
        expectProblem(restricted, 404, 'not_found');
      }
      expect(await hashesOf(server)).toEqual(before);
    });

    it('requires project_id, and either monitor_id or monitor_key', async () => {
      const id = await keyed('either');
      const { project_id } = tenant;
      for (const [query, ...errors] of [
        ['', { code: 'required', parameter: 'monitor_id' }],
        [`project_id=${project_id}`, { code: 'required', parameter: 'monitor_id' }],
        ['monitor_key=either', { code: 'required', parameter: 'project_id' }],
        ['monitor_key=either&project_id=x', { code: 'invalid_format', parameter: 'project_id' }],
        [
          `monitor_key=either&monitor_id=${id}&project_id=${project_id}`,
          { code: 'duplicate', parameter: 'monitor_key' },
        ],
        [`monitor_key=E&project_id=${project_id}`, { code: 'invalid_format', parameter: 'monitor_key' }],
        [`monitor_key=&project_id=${project_id}`, { code: 'invalid_format', parameter: 'monitor_key' }],
      ] as const)
        expectProblem(await ask('POST', `/push?${query}`), 400, 'validation_failed', ...errors);
      expect(await runsOf(id)).toEqual([]);
    });

    it('returns 404 if the project does not own the monitor with the ID', async () => {
      const [id = ''] = await monitors(1);
      const other = await server.project(tenant.organization_id);
      for (const method of ['HEAD', 'GET', 'POST']) {
        expect((await ask(method, `/push?monitor_id=${id}&project_id=${other}`)).status).toBe(404);
        const own = await ask(method, `/push?monitor_id=${id}&project_id=${tenant.project_id}`);
        expect(own.status).toBe(200);
      }
    });

    it('returns 404 if the monitor is deleted during the request', async () => {
      for (let round = 0; round < 10; round++) {
        const id = await keyed('deleted');
        const [pushed, deleted] = await Promise.all([
          ask('POST', byKey('deleted')),
          server.ask(`/v1/monitors/${id}`, { method: 'DELETE', key: tenant.key }),
        ]);
        expect(deleted.status).toBe(204);
        expect([200, 404]).toContain(pushed.status);
        expect(await runsOf(id)).toEqual([]);
      }
    });
  });
});
