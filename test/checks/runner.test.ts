import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { CheckRun, Event, Incident, IncidentDraft } from '../../clients/typescript/src/index.js';
import { CheckStatesRepository } from '../../src/checks/check-states.repository.js';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { passTime } from '../support/clock.js';
import { FailingStatements } from '../support/failing-statements.js';
import { type ListPage, type One, until } from '../support/server.js';
import { useChecks, useTargets } from './use-checks.js';

const { server, tenant, runner, check, stateOf, statusOf, runChecks } = useChecks();
const start = useTargets();

const DOWN = 503;

/** A target that responds with a status, and a check of it. */
async function watched(fields: object = {}) {
  const target = await start();
  const state = { status: 200 };
  target.respond = (_request, response) => void response.writeHead(state.status).end();
  return { target, state, watch: await check({ target: target.url(), ...fields }) };
}

describe('the runs of a check', () => {
  it('report the status of the monitor: an outage after two failures in a row, and its end after a success', async () => {
    const { state, watch } = await watched();
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('operational');
    state.status = DOWN;
    await runChecks(watch);
    expect([await statusOf(watch), await stateOf(watch)]).toMatchObject([
      'operational',
      { status: 'operational', failed_runs: 1, error: 'status 503', checked_at: expect.any(String) },
    ]);
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('major_outage');
    state.status = 200;
    await runChecks(watch);
    expect([await statusOf(watch), await stateOf(watch)]).toMatchObject([
      'operational',
      { status: 'operational', failed_runs: 0, error: null },
    ]);
  });

  it('need the configured number of successes and failures', async () => {
    const { state, watch } = await watched({
      failures: 1,
      recoveries: 2,
      status_on_failure: 'partial_outage',
    });
    state.status = DOWN;
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('partial_outage');
    state.status = 200;
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('partial_outage');
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('operational');
  });

  it('report degraded_performance after two slow successes in a row', async () => {
    const { target, watch } = await watched({ degraded_above_ms: 500 });
    let isSlow = true;
    target.respond = (_request, response) => {
      if (isSlow) void passTime(600).then(() => response.end());
      else response.end();
    };
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('operational');
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('degraded_performance');
    isSlow = false;
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('operational');
  });

  it('report a changed status_on_failure also while the check recovers', async () => {
    const { state, watch } = await watched({ failures: 1, recoveries: 3 });
    state.status = DOWN;
    await runChecks(watch);
    state.status = 200;
    await server.ask(`/v1/checks/${watch.id}`, {
      method: 'PATCH',
      key: tenant.key,
      json: { status_on_failure: 'degraded_performance' },
    });
    await runChecks(watch);
    expect(await statusOf(watch)).toBe('degraded_performance');
  });

  it('begin at most every ten seconds, also if a client keeps changing the check', async () => {
    const { target, watch } = await watched();
    for (let failures = 1; failures <= 4; failures++) {
      await runner().runDue();
      await runner().settle();
      await server.ask(`/v1/checks/${watch.id}`, { method: 'PATCH', key: tenant.key, json: { failures } });
    }
    expect(target.requests).toHaveLength(1);
    const wait = new Date((await stateOf(watch)).next_run_at ?? 0).getTime() - Date.now();
    expect(wait).toBeGreaterThan(5_000);
    expect(wait).toBeLessThanOrEqual(10_000);
  });

  it('count for the response times of the monitor', async () => {
    const { watch } = await watched();
    await runChecks(watch);
    const [row] = await server.sql<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM response_samples WHERE $1 = ANY(monitor_ids)`,
      [watch.monitor_id],
    );
    expect(row?.count).toBe(1);
  });

  it('begin once in an interval, although two processes look for checks that are due', async () => {
    const { target, watch } = await watched();
    await server.sql(
      'UPDATE check_states SET due_at = now() - make_interval(secs => 0.001) WHERE check_id = $1',
      [watch.id],
    );
    await Promise.all([runner().runDue(), runner().runDue()]);
    await runner().runDue();
    await runner().settle();
    expect(target.requests).toHaveLength(1);
    const { next_run_at } = await stateOf(watch);
    const wait = new Date(next_run_at ?? 0).getTime() - Date.now();
    expect(wait).toBeGreaterThan(25_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });

  it('keep the interval also without results', async () => {
    const { watch } = await watched();
    const due = new Date(Date.now() - 1_000);
    await server.sql(
      'UPDATE check_states SET due_at = $2, started_at = $2, checked_at = NULL WHERE check_id = $1',
      [watch.id, due],
    );
    await runner().runDue();
    await runner().settle();
    const { next_run_at } = await stateOf(watch);
    expect(new Date(next_run_at ?? 0).getTime() - due.getTime()).toBe(60_000);
  });

  it('keep their time of the interval, and leave out missed ones', async () => {
    const { watch } = await watched();
    await runChecks(watch);
    const due = new Date(Date.now() - 150_000);
    await server.sql('UPDATE check_states SET due_at = $2 WHERE check_id = $1', [watch.id, due]);
    await runner().runDue();
    await runner().settle();
    const { next_run_at } = await stateOf(watch);
    expect(new Date(next_run_at ?? 0).getTime() - due.getTime()).toBe(180_000);
  });

  it('count only if the check has not changed, and the next run has not begun', async () => {
    const { target, state, watch } = await watched({ failures: 1 });
    state.status = DOWN;
    const release: (() => void)[] = [];
    target.respond = (_request, response) => {
      release.push(() => void response.writeHead(state.status).end());
    };
    await server.sql(
      'UPDATE check_states SET due_at = now() - make_interval(secs => 0.001) WHERE check_id = $1',
      [watch.id],
    );
    await runner().runDue();
    await until(async () => release.length === 1);
    await server.ask(`/v1/checks/${watch.id}`, {
      method: 'PATCH',
      key: tenant.key,
      json: { body_contains: 'ok' },
    });
    release[0]?.();
    await runner().settle();
    expect([await statusOf(watch), await stateOf(watch)]).toMatchObject(['unknown', { checked_at: null }]);
  });

  it('end with the check, and pause while it is disabled', async () => {
    const { target, watch } = await watched();
    await server.ask(`/v1/checks/${watch.id}`, {
      method: 'PATCH',
      key: tenant.key,
      json: { enabled: false },
    });
    expect((await stateOf(watch)).next_run_at).toBeNull();
    await runner().runDue();
    await runner().settle();
    expect(target.requests).toHaveLength(0);
    await server.ask(`/v1/checks/${watch.id}`, { method: 'PATCH', key: tenant.key, json: { enabled: true } });
    expect((await stateOf(watch)).next_run_at).not.toBeNull();
    await runner().runDue();
    await runner().settle();
    expect(target.requests).toHaveLength(1);
    await server.ask(`/v1/checks/${watch.id}`, { method: 'DELETE', key: tenant.key });
    await runner().runDue();
    await runner().settle();
    expect(target.requests).toHaveLength(1);
  });

  it('count also after an outage of the database', async () => {
    const { state, watch } = await watched({ failures: 1 });
    state.status = DOWN;
    const statements = FailingStatements.install();
    statements.fails = ({ text }) => /UPDATE check_states AS state\s+SET status/.test(text);
    try {
      await statements.observe(() => runChecks(watch));
      expect([statements.failed, (await stateOf(watch)).checked_at]).toEqual([1, null]);
    } finally {
      statements.uninstall();
    }
    await runner().runDue();
    await runner().settle();
    expect(await statusOf(watch)).toBe('major_outage');
  });
});

describe('the places of runs', () => {
  it('change hands soon after a run ends, if further checks may wait', async () => {
    const tasks = server.app.get(PeriodicTasks, { strict: false });
    const task = tasks.all.find(({ name }) => name === 'checks');
    const { wake } = tasks;
    let woken = 0;
    tasks.wake = () => void (woken += 1);
    try {
      const { watch } = await watched();
      await runner().runDue();
      expect([woken, task?.isDue?.()]).toEqual([0, false]);
      await runner().settle();
      expect([woken, task?.isDue?.()]).toEqual([1, true]);
      await runner().runDue();
      expect([(await stateOf(watch)).status, task?.isDue?.()]).toEqual(['operational', false]);
    } finally {
      tasks.wake = wake;
    }
  });

  it('leave room for another organization while the targets of one do not respond', async () => {
    const states = server.app.get(CheckStatesRepository, { strict: false });
    const [own, other] = [await server.tenant(), await server.tenant()];
    await check({ target: 'https://a.example/' }, own);
    await check({ target: 'https://b.example/' }, own);
    await check({ target: 'https://c.example/' }, other);
    await server.sql(
      `UPDATE check_states SET due_at = CASE WHEN organization_id = $1 THEN now() - interval '1 minute' ELSE now() END
        WHERE organization_id = ANY(ARRAY[$1, $2]::uuid[])`,
      [own.organization_id, other.organization_id],
    );
    const take = async (limit: number, running: Map<string, number>) =>
      server.app
        .get(DataSource)
        .transaction(async (manager) =>
          (await states.takeDue(limit, running, manager)).map(({ organization_id }) => organization_id),
        );
    // It has half of 1,000 places, so the free ones belong to others.
    expect(await take(500, new Map([[own.organization_id, 500]]))).toEqual([other.organization_id]);
    expect(await take(501, new Map([[own.organization_id, 499]]))).toEqual([own.organization_id]);
  });
});

describe('POST /v1/checks/{id}/run', () => {
  const run = (id: string) =>
    server.ask<One<CheckRun>>(`/v1/checks/${id}/run`, { method: 'POST', key: tenant.key });

  it('returns the result with the time of each phase, and records nothing', async () => {
    const { state, watch } = await watched({ headers: [{ name: 'Authorization', value: 'Bearer secret' }] });
    expect((await run(watch.id)).body.data).toEqual({
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
      error: null,
      status_code: 200,
      dns_ms: null,
      connect_ms: expect.any(Number),
      tls_ms: null,
      first_byte_ms: expect.any(Number),
      certificate_expires_at: null,
    });
    state.status = DOWN;
    const failed = await run(watch.id);
    expect([failed.status, failed.body.data.error]).toEqual([200, 'status 503']);
    expect((await stateOf(watch)).checked_at).toBeNull();
  });

  it('sends the headers of the check', async () => {
    const { target, watch } = await watched({ headers: [{ name: 'Authorization', value: 'Bearer secret' }] });
    await run(watch.id);
    expect(target.requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  it('runs ten times a minute at most', async () => {
    const { watch } = await watched();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await run(watch.id)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});

describe('a failing check of a monitor with draft_template_id', () => {
  it('makes a draft, which becomes an incident of the monitor, and no second one', async () => {
    const { project_id, key } = tenant;
    const send = <Body>(method: string, path: string, json?: object) =>
      server.ask<Body>(path, { method, key, json });
    const template = { project_id, name: 'Outage', title: 'The API is unavailable' };
    const { body: made } = await send<One<{ id: string }>>('POST', '/v1/incident-templates', template);
    const { state, watch } = await watched({ failures: 1 });
    const { monitor_id } = watch;
    await send('PATCH', `/v1/monitors/${monitor_id}`, { draft_template_id: made.data.id });
    const drafts = async () =>
      (await send<ListPage<IncidentDraft>>('GET', `/v1/incident-drafts?project_id=${project_id}`)).body.data;
    await runChecks(watch);
    expect(await drafts()).toEqual([]);
    state.status = DOWN;
    await runChecks(watch);
    const [draft] = await drafts();
    expect(draft).toMatchObject({ title: 'The API is unavailable', monitor_id });
    const log = `/v1/events?project_id=${project_id}&resource_id=${draft?.id}`;
    expect((await send<ListPage<Event>>('GET', log)).body.data).toMatchObject([
      { type: 'incident_draft.created', actor: { type: 'system', name: 'check' } },
    ]);
    const published = await send<One<Incident>>('POST', `/v1/incident-drafts/${draft?.id}/publish`, {});
    expect([published.status, published.body.data.monitors]).toEqual([
      201,
      [{ monitor_id, status: 'major_outage' }],
    ]);
    await runChecks(watch);
    expect(await drafts()).toEqual([]);
  });
});
