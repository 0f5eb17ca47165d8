import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPatch, type Operation } from 'rfc6902';
import { DataSource } from 'typeorm';
import type { Incident } from '../../clients/typescript/src/index.js';
import { type One, useTenant, useTestServer, type WirePage } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';

const WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8';
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'status@example.com' };
const server = useTestServer({ ...MAIL, WEBHOOK_ALLOWED_NETWORKS });
const tenant = useTenant(server);

interface Described<T> extends One<T> {
  dry_run: {
    changes: Operation[];
    notifications: { email: number; webhook: number; pages: string[] };
  };
}

/** Sends a write. */
const send = <T>(method: string, path: string, json: object, headers: Record<string, string> = {}) =>
  server.ask<Described<T>>(path, { method, key: tenant.key, json, headers });
const dry = <T>(method: string, path: string, json: object, headers?: Record<string, string>) =>
  send<T>(method, `${path}?dry_run=true`, json, headers);

describe('dry_run=true', () => {
  let page: Pick<WirePage, 'id' | 'slug'>;
  let monitors: string[];
  const SUBSCRIBERS = 30;
  beforeAll(async () => {
    monitors = await server.monitors(tenant, 60);
    const sections = [{ id: 'a', title: 'A', monitor_ids: monitors }];
    page = await server.page(tenant, { sections, subscribe_enabled: true });
    await server.sql(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
       SELECT gen_random_uuid(), $1, $2, $3, n || '@example.com', n || '@example.com', 'active', 'api'
         FROM generate_series(1, $4::integer) AS n`,
      [tenant.organization_id, tenant.project_id, page.id, SUBSCRIBERS],
    );
    const endpoint = { project_id: tenant.project_id, url: 'http://127.0.0.1:1/', event_types: [] };
    await send('POST', '/v1/webhook-endpoints', endpoint);
  });
  const incident = (fields: object = {}) => ({
    project_id: tenant.project_id,
    title: 'Down',
    monitors: monitors.slice(0, 1).map((monitor_id) => ({ monitor_id, status: 'major_outage' })),
    ...fields,
  });

  it('counts the emails, the webhooks and the pages of a new incident, without creating them', async () => {
    const { status, body } = await dry<Incident>('POST', '/v1/incidents', incident());
    expect(status).toBe(201);
    const { changes, notifications } = body.dry_run;
    expect(notifications).toEqual({ email: SUBSCRIBERS, webhook: 1, pages: [page.slug] });
    expect(changes).toEqual([{ op: 'add', path: '', value: body.data }]);
    const list = await server.ask<{ data: Incident[] }>(`/v1/incidents?project_id=${tenant.project_id}`, {
      key: tenant.key,
    });
    expect(list.body.data).toEqual([]);
  });

  it('counts no email if the write sends none', async () => {
    const { body } = await dry<Incident>('POST', '/v1/incidents', incident({ notify: false }));
    expect(body.dry_run.notifications).toEqual({ email: 0, webhook: 0, pages: [] });
    const patched = await dry<WirePage>('PATCH', `/v1/status-pages/${page.id}`, { name: 'New' });
    expect(patched.body.dry_run.notifications).toEqual({ email: 0, webhook: 1, pages: [] });
  });

  it('returns the JSON Patch that changes the current resource into the result', async () => {
    const path = `/v1/status-pages/${page.id}`;
    const current = (await server.ask<One<WirePage>>(path, { key: tenant.key })).body.data;
    const sections = [{ id: 'b', title: 'B', monitor_ids: monitors.toReversed() }];
    const { body } = await dry<WirePage>('PATCH', path, { name: 'New', accent_color: '#123456', sections });
    const { changes } = body.dry_run;
    expect(changes).toContainEqual({ op: 'replace', path: '/name', value: 'New' });
    expect(changes.map((change) => change.path)).not.toContain('/slug');
    applyPatch(current, changes);
    expect(current).toEqual(body.data);
  });

  it('returns the changes of the resource itself for an action', async () => {
    const made = await send<Incident>('POST', '/v1/incidents', incident());
    const { id } = made.body.data;
    const updated = await dry('POST', `/v1/incidents/${id}/updates`, { status: 'resolved', body: 'Done.' });
    expect(updated.body.dry_run).toMatchObject({
      changes: [{ op: 'add', path: '' }],
      notifications: { email: SUBSCRIBERS, webhook: 1, pages: [page.slug] },
    });
    const settings = await dry('PATCH', `/v1/status-pages/${page.id}/settings`, { history_days: 30 });
    expect(settings.body.dry_run.changes).toMatchObject([
      { op: 'replace', path: '/history_days', value: 30 },
      { op: 'replace', path: '/updated_at' },
    ]);
    const deleted = await server.ask(`/v1/incidents/${id}?dry_run=true`, {
      method: 'DELETE',
      key: tenant.key,
    });
    expect([deleted.status, deleted.text, deleted.headers.get('dry-run')]).toEqual([204, '', 'true']);
    expect((await server.ask(`/v1/incidents/${id}`, { key: tenant.key })).status).toBe(200);
  });

  it('returns the errors of the write', async () => {
    const path = `/v1/status-pages/${page.id}`;
    const stale = await dry('PATCH', path, { name: 'New' }, { 'If-Match': '"2020-01-01T00:00:00.000Z"' });
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const missing = await dry('PATCH', `/v1/status-pages/${UNKNOWN_ID}`, { name: 'New' });
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
    const invalid = await dry('PATCH', path, { name: 7 });
    expect(invalid.body.errors).toMatchObject([{ pointer: '#/name' }]);
    const { key } = await server.key(tenant.organization_id, { scopes: ['status_pages:read'] });
    const reader = await server.ask(`${path}?dry_run=true`, { method: 'PATCH', key, json: { name: 'New' } });
    expect([reader.status, reader.body.code]).toEqual([403, 'insufficient_scope']);
  });

  it('rejects an Idempotency-Key, other values than true and false, and a GET', async () => {
    const kept = await dry('POST', '/v1/incidents', incident(), { 'Idempotency-Key': 'once' });
    expect([kept.status, kept.body.code]).toEqual([400, 'dry_run_not_possible']);
    const wrong = await send('POST', '/v1/incidents?dry_run=yes', incident());
    expect(wrong.body.errors).toMatchObject([{ parameter: 'dry_run', code: 'invalid_format' }]);
    const get = await server.ask(`/v1/status-pages/${page.id}?dry_run=true`, { key: tenant.key });
    expect(get.body.errors).toMatchObject([{ parameter: 'dry_run', code: 'unknown_parameter' }]);
    const off = await send('POST', '/v1/incidents?dry_run=false', incident({ notify: false }));
    expect([off.status, off.headers.get('dry-run')]).toEqual([201, null]);
  });

  it('repeats a write after a deadlock in a savepoint', async () => {
    const [id = ''] = monitors;
    await server.sql(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempts') = 1 THEN RAISE SQLSTATE '40P01'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail_once BEFORE UPDATE ON monitors FOR EACH ROW EXECUTE FUNCTION fail_once()`);
    const { status, body } = await dry<{ key: string }>('PATCH', `/v1/monitors/${id}`, { key: 'api' });
    await server.sql('DROP TRIGGER fail_once ON monitors');
    expect([status, body.data.key]).toEqual([200, 'api']);
  });

  it('writes nothing if the client disconnects while it waits', async () => {
    const abort = new AbortController();
    const arrived = once(server.app.getHttpServer(), 'request');
    await server.app.get(DataSource).transaction(async (manager) => {
      await manager.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE'); // which the operation reads first
      const request = fetch(`${server.url}/v1/incidents?dry_run=true`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(incident({ title: 'Gone' })),
        signal: abort.signal,
      }).catch(() => undefined);
      const [, response]: ServerResponse[] = await arrived;
      const closed = response && once(response, 'close');
      abort.abort();
      await Promise.all([closed, request]);
    });
    await send('POST', '/v1/incidents', incident({ title: 'Later', notify: false }));
    const { body } = await server.ask<{ data: Incident[] }>(`/v1/incidents?project_id=${tenant.project_id}`, {
      key: tenant.key,
    });
    expect(body.data.map(({ title }) => title)).not.toContain('Gone');
  });

  it('releases its locks, so that a write beside it succeeds, and none of both sees the other', async () => {
    const path = `/v1/status-pages/${page.id}`;
    const names = Array.from({ length: 12 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(
      names.map((name, index) =>
        index % 2 === 0 ? send<WirePage>('PATCH', path, { name }) : dry<WirePage>('PATCH', path, { name }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.data.name])).toEqual(
      names.map((name) => [200, name]),
    );
    const { body } = await server.ask<One<WirePage>>(path, { key: tenant.key });
    expect(names.filter((_, index) => index % 2 === 0)).toContain(body.data.name);
  });
});
