import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/events/event-types.js';
import { MAX_BYTES, standardBody } from '../../../src/webhooks/content/standard-body.js';
import { WebhookWriter } from '../../../src/webhooks/content/webhook-writer.js';
import { contractOf } from '../../support/contract.js';
import { useTenant, useTestServer } from '../../support/server.js';
import { allEvents } from './all-events.js';
import { useContent } from './use-content.js';

const server = useTestServer();
const tenant = useTenant(server);
const content = useContent(server, tenant);
const { send, incident, update, list, endpoint, eventOf, bodyOf, standard } = content;

/** The path of an endpoint's URL can be a secret, so that other endpoints get only its origin. */
function originOnly<Resource extends object>(resource: Resource): Resource {
  return 'url' in resource ? { ...resource, url: `${new URL(String(resource.url)).origin}/` } : resource;
}

describe('a body in the standard format', () => {
  it('contains the resource, the update and the event as the API returns them, for each type', async () => {
    const types: string[] = [];
    const contract = await contractOf(server.url);
    for await (const happened of allEvents(server, tenant, content, {
      name: 'Ä & <b>',
      title: 'Errors',
      body: 'Text',
    })) {
      const { type, id, path, resource_id, update: updatePath } = happened;
      types.push(type);
      expect(await bodyOf(id, endpoint('standard'))).not.toMatch(/whsec_|"(former_)?secret"/);
      const body = await standard(id);
      expect(contract.faultsOfMessage(type, JSON.stringify(body))).toEqual([]);
      const event = (await list({ resource_id, type })).body.data.find((one) => one.id === id);
      // Planned events are in no list yet.
      const planned = { ...body.event, id, type, resource_id };
      expect(body).toEqual({
        type,
        timestamp: body.event['created_at'],
        data: path === undefined ? { id: resource_id } : originOnly(await send('GET', path)),
        ...(updatePath !== undefined && { update: await send('GET', updatePath) }),
        event: event ?? planned,
      });
    }
    expect(types.toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it('contains the state of the resource at the attempt', async () => {
    const { id } = await incident();
    await send('PATCH', `/v1/incidents/${id}`, { title: 'Corrected' });
    expect((await standard(await eventOf(id, 'incident.created'))).data['title']).toBe('Corrected');
  });

  it('contains only the ID of a resource that has been deleted since', async () => {
    const { id } = await incident();
    await send('DELETE', `/v1/incidents/${id}`);
    const body = await standard(await eventOf(id, 'incident.created'));
    expect(body).toMatchObject({ type: 'incident.created', data: { id } });
    expect(body.data).toEqual({ id });
    expect(body.thin).toBeUndefined();
  });

  it('contains no update if it has been deleted since', async () => {
    const { id } = await incident();
    const { id: updateId } = await update(id, { body: 'Wrong' });
    await send('DELETE', `/v1/incidents/${id}/updates/${updateId}`);
    const body = await standard(await eventOf(id, 'incident.updated'));
    expect(body.event['update_id']).toBe(updateId);
    expect(body).not.toHaveProperty('update');
  });

  it('becomes thin if it would be longer than 20 kB in UTF-8', async () => {
    const { id } = await incident();
    await send('PATCH', `/v1/incidents/${id}`, { postmortem: '€'.repeat(7_000) });
    const { id: updateId } = await update(id, { body: 'Short' });
    const text = await bodyOf(await eventOf(id, 'incident.updated'), endpoint('standard'));
    expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(MAX_BYTES);
    const body: unknown = JSON.parse(text ?? '');
    expect(body).toMatchObject({ thin: true, data: { id }, update: { id: updateId } });
    expect(Object(body).data).toEqual({ id });
    expect((await contractOf(server.url)).faultsOfMessage('incident.updated', text ?? '')).toEqual([]);
  });

  it('contains the whole resource up to 20,000 bytes', () => {
    const event = { type: 'incident.created', resource_id: 'a', update_id: null, created_at: new Date(0) };
    const bodyWith = (length: number) =>
      standardBody({ event, resource: JSON.stringify({ text: 'é'.repeat(length) }), update: undefined });
    const rest = Buffer.byteLength(bodyWith(0));
    const longest = bodyWith((MAX_BYTES - rest) / 2);
    expect(rest % 2).toBe(0);
    expect(Buffer.byteLength(longest)).toBe(20_000);
    expect(longest).not.toContain('"thin"');
    expect(bodyWith((MAX_BYTES - rest) / 2 + 1)).toContain('"thin":true');
  });

  it('omits the data of an event that is too long itself', () => {
    const data = { monitor_ids: Array.from({ length: 600 }, () => randomUUID()) };
    const event = {
      type: 'incident.deleted',
      resource_id: 'a',
      update_id: null,
      created_at: new Date(0),
      data,
    };
    const body: unknown = JSON.parse(standardBody({ event, resource: undefined, update: undefined }));
    expect(body).toMatchObject({ thin: true, data: { id: 'a' }, event: { resource_id: 'a' } });
    expect(Object(body).event.data).toEqual({});
  });

  it('returns undefined if the event does not exist', async () => {
    expect(await bodyOf(randomUUID(), endpoint('standard'))).toBeUndefined();
  });

  it('returns undefined for an endpoint of another organization or project, also just after it was written', async () => {
    const { id } = await incident();
    const event = await eventOf(id, 'incident.created');
    expect(await bodyOf(event, endpoint('standard'))).toContain(id);
    const other = await server.tenant();
    const ofOther = { organization_id: other.organization_id, project_id: other.project_id };
    expect(await bodyOf(event, { ...endpoint('standard'), ...ofOther })).toBeUndefined();
    const project_id = await server.project(tenant.organization_id);
    expect(await bodyOf(event, { ...endpoint('standard'), project_id })).toBeUndefined();
    expect(
      await bodyOf(event, { ...endpoint('slack'), organization_id: other.organization_id }),
    ).toBeUndefined();
  });

  it('reads an event once for all endpoints within some seconds', async () => {
    const { id } = await incident();
    const event = await eventOf(id, 'incident.created');
    const bodies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        bodyOf(event, endpoint('standard', index % 2 === 0 ? null : randomUUID())),
      ),
    );
    await server.sql('DELETE FROM events WHERE id = $1', [event]);
    bodies.push(await bodyOf(event, endpoint('standard')));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain(id);
  });
});

describe('the body of a test', () => {
  it('contains the type webhook.test, the endpoint, and the ID that the caller gives', async () => {
    const { project_id } = tenant;
    const url = 'https://example.com/hook';
    const created = await send('POST', '/v1/webhook-endpoints', { project_id, url });
    const to = { ...endpoint('standard'), id: created.id };
    const id = randomUUID();
    const text = await server.app.get(WebhookWriter).testBody(to, id);
    const body: unknown = JSON.parse(text);
    expect(body).toMatchObject({
      type: 'webhook.test',
      data: originOnly(await send('GET', `/v1/webhook-endpoints/${to.id}`)),
      event: { id, type: 'webhook.test', project_id, resource_id: to.id, data: {} },
    });
    expect(text).not.toContain('whsec_');
    expect((await contractOf(server.url)).faultsOfMessage('webhook.test', text)).toEqual([]);
  });
});
