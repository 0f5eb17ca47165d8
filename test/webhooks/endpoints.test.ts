import { beforeAll, describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../clients/typescript/src/index.js';
import { PagesCleanup } from '../../src/status-pages/deleted/pages-cleanup.js';
import { expectProblem } from '../support/expectations.js';
import type { ListPage } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { URL_OF_TEST, useEndpoints } from './use-endpoints.js';

const { server, tenant, ask, createEndpoint, set } = useEndpoints();
/** A project with pages of its own. */
let other: typeof tenant;

beforeAll(async () => {
  other = await server.tenant();
});

const FAILING = `status = 'disabled', disabled_reason = 'failing', failing_since = now() - interval '5 days'`;

const deletePage = (id: string) =>
  server.ask(`/v1/status-pages/${id}`, { method: 'DELETE', key: tenant.key });

describe('POST /v1/webhook-endpoints', () => {
  it('creates an enabled endpoint for all events of the project by default', async () => {
    const { id, secret, created_at, updated_at, ...fields } = await createEndpoint();
    expect(fields).toEqual({
      url: URL_OF_TEST,
      description: null,
      event_types: [],
      format: 'standard',
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      former_secret_until: null,
      status_page_id: null,
      project_id: tenant.project_id,
    });
    expect(updated_at).toBe(created_at);
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect((await ask('GET', `/${id}`)).body.data).toEqual({ id, ...fields, created_at, updated_at });
  });

  it('creates a disabled endpoint with all fields', async () => {
    const { id: status_page_id } = await server.page(tenant);
    const fields = {
      description: 'Chat',
      event_types: ['incident.created', 'webhook_endpoint.disabled'],
      format: 'teams',
      status: 'disabled',
      status_page_id,
    };
    expect(await createEndpoint(fields)).toMatchObject({ ...fields, disabled_reason: 'manual' });
  });

  it.each([
    [
      'unknown and repeated types',
      { event_types: ['incident.created', 'webhook.test', 'incident.created'] },
      2,
    ],
    ['an unknown format and status', { format: 'xml', status: 'paused' }, 2],
    ['an empty and a long description', { description: '' }, 1],
    ['fields that are generated', { secret: 'whsec_a', disabled_reason: 'gone', failing_since: null }, 3],
  ])('returns 400 for %s', async (_what, fields, count) => {
    const json = { project_id: tenant.project_id, url: URL_OF_TEST, ...fields };
    expect(expectProblem(await ask('POST', '', json), 400, 'validation_failed').errors).toHaveLength(count);
  });

  it('returns 400 for a page of another project, and 404 for a project of another organization', async () => {
    const { id: status_page_id } = await server.page(other);
    const json = { project_id: tenant.project_id, url: URL_OF_TEST };
    const error = { code: 'unknown_status_page', pointer: '#/status_page_id' };
    for (const id of [status_page_id, UNKNOWN_ID])
      expectProblem(await ask('POST', '', { ...json, status_page_id: id }), 400, 'validation_failed', error);
    const foreign = { ...json, project_id: other.project_id };
    expectProblem(await ask('POST', '', foreign), 404, 'not_found');
  });

  it('returns 409 for more than 100 endpoints in a project, even concurrently', async () => {
    const { project_id, key } = await server.tenant();
    const create = () => ask('POST', '', { project_id, url: URL_OF_TEST }, {}, key);
    for (let count = 0; count < 90; count++) expect((await create()).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 25 }, create));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(201),
      ...Array(15).fill(409),
    ]);
    const [{ id = '' } = {}] = (
      await ask<ListPage<WebhookEndpoint>>('GET', `?project_id=${project_id}`, undefined, {}, key)
    ).body.data;
    expect((await ask('DELETE', `/${id}`, undefined, {}, key)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

describe('GET /v1/webhook-endpoints', () => {
  it('lists the endpoints of a project by status and status page, without secrets', async () => {
    const { key, ...own } = await server.tenant();
    const { id: status_page_id } = await server.page({ ...own, key });
    const list = async (query: string) => {
      const path = `?project_id=${own.project_id}${query}`;
      return ask<ListPage<WebhookEndpoint>>('GET', path, undefined, {}, key);
    };
    const create = async (fields: object) => {
      const json = { project_id: own.project_id, url: URL_OF_TEST, ...fields };
      return (await ask('POST', '', json, {}, key)).body.data.id;
    };
    const enabled = await create({});
    const disabled = await create({ status: 'disabled' });
    const ofPage = await create({ status_page_id });
    const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }) => id);
    expect(await idsOf('')).toEqual([ofPage, disabled, enabled]);
    expect(await idsOf('&status=disabled')).toEqual([disabled]);
    expect(await idsOf(`&status_page_id=${status_page_id}`)).toEqual([ofPage]);
    expect(await idsOf(`&status_page_id=${status_page_id}&status=disabled`)).toEqual([]);
    expect((await list('')).text).not.toContain('whsec_');
    const { body } = await list('&limit=1');
    expectProblem(await list(`&status=enabled&cursor=${body.pagination.next_cursor}`), 400, 'invalid_cursor');
  });
});

describe('PATCH /v1/webhook-endpoints/{id}', () => {
  it('sets the reason `manual` if it disables the endpoint, and keeps another reason', async () => {
    const { id } = await createEndpoint();
    const disable = async () => (await ask('PATCH', `/${id}`, { status: 'disabled' })).body.data;
    expect(await disable()).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
    await set(id, FAILING);
    expect(await disable()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });

  it('clears the reason and `failing_since` if it enables the endpoint', async () => {
    const { id } = await createEndpoint();
    await set(id, FAILING);
    const { data } = (await ask('PATCH', `/${id}`, { status: 'enabled' })).body;
    expect(data).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
  });

  it('clears `failing_since` with a new URL only', async () => {
    const { id, url } = await createEndpoint();
    await set(id, `failing_since = now()`);
    const patch = async (json: object) => (await ask('PATCH', `/${id}`, json)).body.data.failing_since;
    expect(await patch({ url, status: 'enabled', description: 'Changed' })).not.toBeNull();
    expect(await patch({ url: `${url}/v2` })).toBeNull();
  });

  it('changes no read-only field, and neither `project_id` nor the secret', async () => {
    const { id } = await createEndpoint();
    const json = { project_id: tenant.project_id, secret: 'whsec_a', former_secret_until: null };
    const { errors } = expectProblem(await ask('PATCH', `/${id}`, json), 400, 'validation_failed');
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill('unknown_field'));
    expect(errors[1]?.detail).toContain('/rotate-secret');
  });

  it('checks a new status page, but not the present one', async () => {
    const { id: status_page_id } = await server.page(tenant);
    const { id } = await createEndpoint({ status_page_id });
    await deletePage(status_page_id);
    expect((await ask('PATCH', `/${id}`, { status_page_id, description: 'Kept' })).status).toBe(200);
    const { id: foreign } = await server.page(other);
    const patched = await ask('PATCH', `/${id}`, { status_page_id: foreign });
    expectProblem(patched, 400, 'validation_failed', { code: 'unknown_status_page' });
    expect((await ask('PATCH', `/${id}`, { status_page_id: null })).body.data.status_page_id).toBeNull();
  });
});

describe('a deleted status page', () => {
  it('keeps its endpoints as long as it can be restored', async () => {
    const pages = [await server.page(tenant), await server.page(tenant)];
    const [restorable, old] = pages.map(({ id }) => id);
    const endpoints = [];
    for (const { id: status_page_id } of pages) endpoints.push(await createEndpoint({ status_page_id }));
    for (const { id } of pages) await deletePage(id);
    await server.sql(`UPDATE deleted_status_pages SET restorable_until = now() WHERE id = $1`, [old]);
    while (await server.app.get(PagesCleanup).run());
    const [kept, deleted] = endpoints;
    expect((await ask('GET', `/${kept?.id}`)).body.data.status_page_id).toBe(restorable);
    expectProblem(await ask('GET', `/${deleted?.id}`), 404, 'not_found');
  });
});
