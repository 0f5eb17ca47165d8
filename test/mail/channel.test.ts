import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inHours } from '../events/use-events.js';
import { FailingStatements } from '../support/failing-statements.js';
import { signWith, verifyDkim } from './dkim.js';
import { useMailBench } from './use-channel.js';

const directory = mkdtempSync(join(tmpdir(), 'mail-'));
afterAll(() => rmSync(directory, { recursive: true }));

const bench = useMailBench(signWith(join(directory, 'dkim.pem')));
let api: string;
let web: string;

beforeAll(async () => {
  [api = '', web = ''] = await bench.server.monitors(bench.tenant, 2);
  await bench.request('PATCH', `status-pages/${bench.page}`, {
    sections: [{ id: randomUUID(), title: 'All', monitor_ids: [api, web] }],
  });
});

const incident = (fields: object = {}) =>
  bench.create('incidents', {
    title: 'Slow responses from the API',
    status: 'investigating',
    body: 'Looking.',
    monitors: [{ monitor_id: api, status: 'degraded_performance' }],
    ...fields,
  });

const headerOf = (message: Buffer | undefined, name: string) =>
  new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)\\r$`, 'im')
    .exec(message?.toString('latin1') ?? '')?.[1]
    ?.replaceAll(/\s+/g, ' ');

describe('mail about an incident', () => {
  it('contains the title as its subject, and the headers of bulk mail', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    expect(await bench.send(recipient, await bench.eventOf(id, 'incident.created'))).toEqual({
      kind: 'delivered',
    });
    const { subject, text, headers, from, to } = await bench.last();
    expect(subject).toBe('[Acme Cloud] Slow responses from the API');
    expect(text).toContain(`https://status.example.com/status/acme/incidents/${id}`);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('precedence')).toBe('bulk');
    expect(from?.text).toBe('"Acme Status" <status@example.com>');
    expect(JSON.stringify(to)).toContain(`${recipient}@example.org`);
  });

  it('goes out a minute later, without a pause of other mail, if a statement for it times out', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    const event = await bench.eventOf(id, 'incident.created');
    const statements = FailingStatements.install();
    statements.fails = ({ values }) => values.includes(id);
    const outcome = await statements.observe(() => bench.send(recipient, event));
    statements.uninstall();
    expect(outcome).toMatchObject({ kind: 'retry', error: 'database unavailable', slow_down: null });
    expect(await bench.send(recipient, event)).toEqual({ kind: 'delivered' });
  });

  it('contains both headers of one-click unsubscription, and a DKIM signature that covers them', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    await bench.send(recipient, await bench.eventOf(id, 'incident.created'));
    const message = bench.sink.received.at(-1)?.message ?? Buffer.alloc(0);
    const link = headerOf(message, 'List-Unsubscribe') ?? '';
    expect(link).toMatch(/^<https:\/\/status\.example\.com\/status\/acme\/unsubscribe\/st_[\w-]{54}>$/);
    expect(headerOf(message, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(await verifyDkim(message)).toEqual(['pass']);
    for (const field of ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Subject', 'References']) {
      const changed = message.toString('latin1').replace(new RegExp(`^${field}: `, 'm'), '$&x');
      expect(await verifyDkim(Buffer.from(changed, 'latin1'))).toEqual(['fail']);
    }
  });

  it('keeps its Message-ID at each attempt, and forms a thread with all mail about the incident', async () => {
    const [one, other, id] = [await bench.subscriber(), await bench.subscriber(), await incident()];
    await bench.request('POST', `incidents/${id}/updates`, { status: 'resolved', body: 'Over.' });
    const created = await bench.eventOf(id, 'incident.created');
    const resolved = await bench.eventOf(id, 'incident.resolved');
    await bench.send(one, created);
    await bench.sendAll([bench.delivery(one, created, 2)]);
    await bench.send(one, resolved);
    await bench.send(other, created);
    const idsOf = (name: string) => bench.sink.received.map(({ message }) => headerOf(message, name));
    const [first, second, third, fourth] = idsOf('Message-ID');
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
    const references = idsOf('References');
    expect(references[0]).toMatch(/^<[0-9a-f]{40}@example\.com>$/);
    expect(references[2]).toBe(references[0]);
    expect(references[3]).not.toBe(references[0]);
    expect(idsOf('In-Reply-To')).toEqual(references);
  });

  it('contains no header from the name of the page or the title', async () => {
    const injected = 'X\u2028Bcc: victim@example.net\u0085X-Injected: yes';
    const page = await bench.create('status-pages', { name: injected, slug: 'injected', is_public: true });
    const recipient = await bench.subscriber({}, page);
    const id = await incident({ title: injected, monitors: [] });
    await bench.send(recipient, await bench.eventOf(id, 'incident.created'));
    const { headers, subject } = await bench.last();
    expect(headers.has('bcc')).toBe(false);
    expect(headers.has('x-injected')).toBe(false);
    expect(subject).toContain('Bcc: victim@example.net');
    expect(bench.sink.received.at(-1)?.to).toEqual([`${recipient}@example.org`]);
  });
});

describe('mail about an event of more than a day ago', () => {
  it('causes no message', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    const age = (hours: number) =>
      bench.server.sql(
        `UPDATE events SET created_at = now() - $2 * interval '1 hour' WHERE resource_id = $1`,
        [id, hours],
      );
    await age(25);
    const event = await bench.eventOf(id, 'incident.created');
    expect(await bench.send(recipient, event)).toEqual({ kind: 'cancelled' });
  });
});

describe('finding recipients', () => {
  const named = (subscribers: Record<string, string>, ids: string[]) =>
    Object.keys(subscribers).filter((name) => ids.includes(subscribers[name] ?? ''));

  it('selects subscribers to its monitors, and to all updates or only the edges', async () => {
    const subscribers = {
      all: await bench.subscriber(),
      edges: await bench.subscriber({ detail: 'edges' }),
      api: await bench.subscriber({ monitor_ids: [api] }),
      web: await bench.subscriber({ monitor_ids: [web] }),
      pending: await bench.subscriber({ status: 'pending' }),
    };
    const recipientsOf = async (id: string, type: string) =>
      named(subscribers, await bench.recipientsOf(await bench.eventOf(id, type)));
    const id = await incident();
    expect(await recipientsOf(id, 'incident.created')).toEqual(['all', 'edges', 'api']);
    await bench.request('POST', `incidents/${id}/updates`, { body: 'Still looking.' });
    expect(await recipientsOf(id, 'incident.updated')).toEqual(['all', 'api']);
    await bench.request('POST', `incidents/${id}/updates`, { status: 'resolved' });
    expect(await recipientsOf(id, 'incident.resolved')).toEqual(['all', 'edges', 'api']);
    await bench.request('POST', `incidents/${id}/updates`, { status: 'monitoring' });
    expect(await recipientsOf(id, 'incident.reopened')).toEqual(['all', 'edges', 'api']);

    const general = await incident({ monitors: [] });
    expect(await recipientsOf(general, 'incident.created')).toEqual(['all', 'edges', 'api', 'web']);
    await bench.request('DELETE', `incidents/${general}`);
    expect(await recipientsOf(general, 'incident.deleted')).toEqual([]);
  });

  it('selects only those who chose everything if the page does not show the monitors of the incident', async () => {
    const [hidden] = await bench.server.monitors(bench.tenant, 1);
    const subscribers = {
      all: await bench.subscriber(),
      api: await bench.subscriber({ monitor_ids: [api] }),
    };
    const monitors = [{ monitor_id: hidden, status: 'major_outage' }];
    const id = await incident({ monitors, status_page_ids: [bench.page] });
    const event = await bench.eventOf(id, 'incident.created');
    expect(named(subscribers, await bench.recipientsOf(event))).toEqual(['all']);
  });

  it('selects the subscribers of an incident that is entered as resolved', async () => {
    const subscribers = {
      all: await bench.subscriber(),
      web: await bench.subscriber({ monitor_ids: [web] }),
    };
    const event = await bench.eventOf(await incident({ status: 'resolved' }), 'incident.created');
    expect(named(subscribers, await bench.recipientsOf(event))).toEqual(['all']);
  });

  it('selects those who chose everything after the only monitor was deleted, and they get the end', async () => {
    const [doomed = ''] = await bench.server.monitors(bench.tenant, 1);
    const sections = [{ id: 'all', title: 'All', monitor_ids: [api, web, doomed] }];
    await bench.request('PATCH', `status-pages/${bench.page}`, { sections });
    const subscribers = {
      all: await bench.subscriber(),
      api: await bench.subscriber({ monitor_ids: [api] }),
    };
    const id = await incident({ monitors: [{ monitor_id: doomed, status: 'major_outage' }] });
    const window = await bench.create('maintenances', {
      title: 'Upgrade',
      starts_at: inHours(1),
      ends_at: inHours(2),
      monitor_ids: [doomed],
    });
    await bench.request('DELETE', `monitors/${doomed}`);
    await bench.request('POST', `incidents/${id}/updates`, { status: 'resolved' });
    await bench.request('PATCH', `maintenances/${window}`, { status: 'cancelled' });
    for (const [resource, type] of [
      [id, 'incident.resolved'],
      [window, 'maintenance.cancelled'],
    ] as const) {
      const event = await bench.eventOf(resource, type);
      expect(named(subscribers, await bench.recipientsOf(event))).toEqual(['all']);
      expect(await bench.send(subscribers.all, event)).toEqual({ kind: 'delivered' });
    }
  });

  it('selects the subscribers of the pages that show an incident', async () => {
    const empty = await bench.create('status-pages', { name: 'Empty', slug: 'empty', is_public: true });
    const subscribers = { acme: await bench.subscriber(), empty: await bench.subscriber({}, empty) };
    const recipientsOf = async (fields: object) =>
      named(
        subscribers,
        await bench.recipientsOf(await bench.eventOf(await incident(fields), 'incident.created')),
      );
    expect(await recipientsOf({})).toEqual(['acme']);
    expect(await recipientsOf({ monitors: [] })).toEqual(['acme', 'empty']);
    expect(await recipientsOf({ status_page_ids: [empty] })).toEqual(['empty']);
  });

  it('selects subscribers to maintenance windows', async () => {
    const subscribers = {
      all: await bench.subscriber(),
      edges: await bench.subscriber({ detail: 'edges' }),
      none: await bench.subscriber({ maintenances: false }),
      web: await bench.subscriber({ monitor_ids: [web] }),
    };
    const id = await bench.create('maintenances', {
      title: 'Upgrade',
      starts_at: inHours(10),
      ends_at: inHours(12),
      monitor_ids: [api],
    });
    const recipientsOf = async (type: string) =>
      named(subscribers, await bench.recipientsOf(await bench.eventOf(id, type)));
    expect(await recipientsOf('maintenance.scheduled')).toEqual(['all', 'edges']);
    expect(await recipientsOf('maintenance.reminder')).toEqual(['all']);
    expect(await recipientsOf('maintenance.started')).toEqual(['all', 'edges']);
    await bench.request('PATCH', `maintenances/${id}`, { status: 'cancelled' });
    expect(await recipientsOf('maintenance.cancelled')).toEqual(['all', 'edges']);
  });
});

describe('the response of the mail server', () => {
  const statusOf = async (id: string) => {
    const [row] = await bench.server.sql<{ status: string; suppressed_reason: string | null }[]>(
      'SELECT status, suppressed_reason FROM subscribers WHERE id = $1',
      [id],
    );
    return row;
  };
  const sendWith = async (recipient: string, at: 'MAIL' | 'RCPT' | 'DATA', code: number, text: string) => {
    bench.sink.refusal = { at, code, text };
    return bench.send(recipient, await bench.eventOf(await incident(), 'incident.created'));
  };

  it('421 and 450 retry later, and 421 slows all mail down', async () => {
    const recipient = await bench.subscriber();
    expect(await sendWith(recipient, 'MAIL', 421, '4.7.0 too many')).toMatchObject({
      kind: 'retry',
      error: 'MAIL FROM 421 4.7.0',
      slow_down: 'channel',
    });
    expect(await sendWith(recipient, 'RCPT', 450, '4.2.0 greylisted')).toMatchObject({
      kind: 'retry',
      slow_down: null,
    });
    expect(await statusOf(recipient)).toMatchObject({ status: 'active' });
  });

  it('550 5.1.1 fails, and suppresses the subscriber', async () => {
    const recipient = await bench.subscriber();
    const outcome = await sendWith(recipient, 'RCPT', 550, `5.1.1 <${recipient}@example.org> unknown`);
    expect(outcome).toEqual({ kind: 'failed', error: 'RCPT TO 550 5.1.1' });
    expect(await statusOf(recipient)).toEqual({ status: 'suppressed', suppressed_reason: 'bounced' });
    bench.sink.refusal = undefined;
    const event = await bench.eventOf(await incident(), 'incident.created');
    expect(await bench.send(recipient, event)).toEqual({ kind: 'cancelled' });
  });

  it('552 fails, and suppresses the subscriber the second time on another day', async () => {
    const recipient = await bench.subscriber();
    for (const _ of [1, 2])
      expect(await sendWith(recipient, 'DATA', 552, '5.2.2 full')).toMatchObject({ kind: 'failed' });
    expect(await statusOf(recipient)).toMatchObject({ status: 'active' });
    await bench.server.sql(
      `UPDATE subscribers SET last_bounced_at = last_bounced_at - interval '1 day' WHERE id = $1`,
      [recipient],
    );
    await sendWith(recipient, 'DATA', 552, '5.2.2 full');
    expect(await statusOf(recipient)).toEqual({ status: 'suppressed', suppressed_reason: 'bounced' });
  });

  it('554 to the message fails without an effect on the subscriber', async () => {
    const recipient = await bench.subscriber();
    expect(await sendWith(recipient, 'DATA', 554, '5.7.1 spam')).toMatchObject({ kind: 'failed' });
    expect(await statusOf(recipient)).toMatchObject({ status: 'active' });
  });
});

it('sends nothing to subscribers who are not active or have unsubscribed', async () => {
  const event = await bench.eventOf(await incident(), 'incident.created');
  const ids = [await bench.subscriber({ status: 'pending' }), event.id];
  for (const id of ids) expect(await bench.send(id, event)).toEqual({ kind: 'cancelled' });
  expect(bench.sink.received).toEqual([]);
});

it('sends the confirmation to a pending subscriber', async () => {
  const pending = await bench.subscriber({ status: 'pending' });
  expect(await bench.send(pending, 'confirmation')).toEqual({ kind: 'delivered' });
  const { text, headers } = await bench.last();
  expect(text).toMatch(/\/status\/acme\/confirm\/st_[\w-]{54}/);
  expect(headers.has('list')).toBe(false);
});
