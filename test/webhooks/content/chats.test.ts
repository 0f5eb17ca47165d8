import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/events/event-types.js';
import { WebhookWriter } from '../../../src/webhooks/content/webhook-writer.js';
import { useTenant, useTestServer } from '../../support/server.js';
import { isThorough } from '../../support/thorough.js';
import { allEvents, type Texts } from './all-events.js';
import { VALIDATORS } from './chat-limits.js';
import { useContent, useReceiver } from './use-content.js';

const server = useTestServer({ PUBLIC_URL: 'https://status.example.com' });
const tenant = useTenant(server);
const content = useContent(server, tenant);
const receiver = useReceiver();
const { send, incident, update, maintenance, endpoint, eventOf, bodyOf } = content;

const FORMATS = ['slack', 'discord', 'teams'] as const;

const HOSTILE =
  '<!channel> @everyone <@U1> <#C1> *b* [x](https://evil.example) <https://evil.example|y> `c` & > #';

const TEXTS: [string, Texts][] = [
  [
    'ordinary texts',
    {
      name: 'Acme Cloud',
      title: 'Slow responses',
      body: '# Cause\n\nA **node** has [failed](https://example.org/a?b=1&c=2).\n\n- one\n- two\n\n1. a\n2. b\n\n```\ncode <x>\n```',
    },
  ],
  [
    'hostile texts',
    { name: HOSTILE.slice(0, 200), title: HOSTILE.slice(0, 200), body: `${HOSTILE}\n\n@here ${HOSTILE}` },
  ],
  ['the longest texts', { name: '&'.repeat(200), title: '&'.repeat(200), body: '<&>*_'.repeat(2_000) }],
  ['many short lines', { name: 'ü'.repeat(200), title: '💥'.repeat(200), body: 'a\n\n'.repeat(3_300) }],
];

describe('messages for chats', () => {
  it.each(isThorough ? TEXTS : TEXTS.slice(-2))(
    'meet the limits for each type of event, with %s',
    async (_name, texts) => {
      const types: string[] = [];
      for await (const { type, id, page } of allEvents(server, tenant, content, texts)) {
        types.push(type);
        for (const format of FORMATS)
          for (const scope of [null, page]) {
            const body = await bodyOf(id, endpoint(format, scope));
            const answer = await receiver.post(format, body ?? '');
            expect([type, format, answer]).toEqual([type, format, 'ok']);
          }
      }
      expect(types.toSorted()).toEqual(EVENT_TYPES.toSorted());
    },
  );
});

describe.each(FORMATS)('a message for %s', (format) => {
  it('meets the limits for a test', async () => {
    const body = await server.app.get(WebhookWriter).testBody(endpoint(format));
    expect(body).toContain('Test message');
    expect(await receiver.post(format, body)).toBe('ok');
  });

  it('contains the page or the project, the title with the status, the text and the affected monitors', async () => {
    const [api = '', hidden = ''] = await server.monitors(tenant, 2);
    const sections = [{ id: 'core', title: 'Core', monitor_ids: [api] }];
    const { id: page, slug } = await server.page(tenant, { sections });
    const { id } = await incident({
      title: 'Slow responses',
      body: 'A node has failed.',
      monitors: [api, hidden].map((monitor_id) => ({ monitor_id, status: 'degraded_performance' })),
    });
    const event = await eventOf(id, 'incident.created');
    const ofPage = await bodyOf(event, endpoint(format, page));
    expect(ofPage).toMatch(/"(text|name)":"Page/);
    expect(ofPage).toContain('Degraded performance');
    expect(ofPage).toContain('Slow responses');
    expect(ofPage?.replaceAll('\\', '')).toContain('A node has failed.');
    expect(ofPage).toContain('Monitor 1');
    expect(ofPage).not.toContain('Monitor 2');
    expect(ofPage).toContain(`https://status.example.com/status/${slug}/incidents/${id}`);
    const ofProject = await bodyOf(event, endpoint(format));
    expect(ofProject).toMatch(/"(text|name)":"Project/);
    expect(ofProject).toContain('Monitor 2');
    expect(ofProject).toContain('https://status.example.com/status/');
  });

  it('contains no link if the page is private', async () => {
    const { id: page } = await server.page(tenant, { is_public: false });
    const { id } = await incident({ status_page_ids: [page] });
    const event = await eventOf(id, 'incident.created');
    for (const scope of [null, page])
      expect(await bodyOf(event, endpoint(format, scope))).not.toContain('https://status.example.com');
  });

  it('uses the language and the time zone of the page', async () => {
    const { id: page } = await server.page(tenant);
    await send('PATCH', `/v1/status-pages/${page}/branding`, { language: 'de', time_zone: 'Europe/Berlin' });
    const { id } = await incident({ status_page_ids: [page] });
    await update(id, { status: 'resolved' });
    const body = await bodyOf(await eventOf(id, 'incident.resolved'), endpoint(format, page));
    expect(body).toContain('Behoben');
    expect(body).toMatch(/ MEZ| MESZ/);
  });

  it('ends if the incident or the update is deleted, or the event is not true any more', async () => {
    const deleted = await incident();
    await send('DELETE', `/v1/incidents/${deleted.id}`);
    expect(await bodyOf(await eventOf(deleted.id, 'incident.created'), endpoint(format))).toBeUndefined();
    expect(await bodyOf(await eventOf(deleted.id, 'incident.deleted'), endpoint(format))).toContain('Errors');
    const { id } = await incident();
    const { id: updateId } = await update(id, {});
    await send('DELETE', `/v1/incidents/${id}/updates/${updateId}`);
    expect(await bodyOf(await eventOf(id, 'incident.updated'), endpoint(format))).toBeUndefined();
    const window = await maintenance([1, 2]);
    const reminder = await eventOf(window.id, 'maintenance.scheduled');
    await send('PATCH', `/v1/maintenances/${window.id}`, { status: 'cancelled' });
    expect(await bodyOf(reminder, endpoint(format))).toBeUndefined();
  });
});

describe('a message for slack', () => {
  it('shows the name, the title and the monitors as they are written, without formatting', async () => {
    const [api = ''] = await server.monitors(tenant, 1);
    await send('PATCH', `/v1/monitors/${api}`, { name: '_api_ *v2*' });
    const { id } = await incident({
      title: 'Job `sync_all` is *slow*',
      monitors: [{ monitor_id: api, status: 'degraded_performance' }],
    });
    const body = await bodyOf(await eventOf(id, 'incident.created'), endpoint('slack'));
    const { blocks, mrkdwn } = JSON.parse(body ?? '');
    expect(mrkdwn).toBe(false);
    expect(JSON.stringify(blocks)).toMatch(
      /"type":"header","text":\{"type":"plain_text","text":"[^"]*Job `sync_all` is \*slow\*/,
    );
    expect(JSON.stringify(blocks)).toMatch(/\{"type":"plain_text","text":"[^"]*_api_ \*v2\*/);
  });
});

describe('the receiver of the test', () => {
  it.each(FORMATS)('rejects what %s would not accept', async (format) => {
    expect(await receiver.post(format, '{}')).not.toBe('ok');
    expect(
      VALIDATORS[format](JSON.stringify({ text: '<!channel>', blocks: [], embeds: [{}], attachments: [{}] })),
    ).not.toEqual([]);
  });
});
