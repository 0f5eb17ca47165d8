import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { inHours } from '../events/use-events.js';
import { useMailBench } from './use-channel.js';

const bench = useMailBench();
const SENT = { kind: 'delivered' };
const NOTHING = { kind: 'cancelled' };

const incident = (fields: object = {}) =>
  bench.create('incidents', {
    title: 'Slow responses',
    status: 'investigating',
    body: 'Looking.',
    ...fields,
  });

/** Creates a maintenance window with `[from, to]` in hours from now. */
const maintenance = ([from, to]: [number, number]) =>
  bench.create('maintenances', {
    title: 'Upgrade',
    body: 'Read only.',
    starts_at: inHours(from),
    ends_at: inHours(to),
  });

describe('mail about an incident', () => {
  it('contains the corrected text of its update', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    const event = await bench.eventOf(id, 'incident.created');
    await bench.request('PATCH', `incidents/${id}/updates/${event.update_id}`, { body: 'Corrected.' });
    expect(await bench.send(recipient, event)).toEqual(SENT);
    expect((await bench.last()).text).toContain('Corrected.');
  });

  it('stays unsent if its update, the incident or the page is deleted', async () => {
    const page = await bench.create('status-pages', { name: 'Other', slug: 'other', is_public: true });
    const [recipient, id] = [await bench.subscriber({}, page), await incident()];
    await bench.request('POST', `incidents/${id}/updates`, { body: 'A mistake.' });
    const updated = await bench.eventOf(id, 'incident.updated');
    await bench.request('DELETE', `incidents/${id}/updates/${updated.update_id}`);
    expect(await bench.send(recipient, updated)).toEqual(NOTHING);

    const created = await bench.eventOf(id, 'incident.created');
    await bench.request('DELETE', `status-pages/${page}`);
    expect(await bench.send(recipient, created)).toEqual(NOTHING);

    const other = await bench.subscriber();
    await bench.request('DELETE', `incidents/${id}`);
    expect(await bench.send(other, created)).toEqual(NOTHING);
    expect(bench.sink.received).toEqual([]);
  });

  it('contains the first remaining update if the update at its creation is deleted', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    const created = await bench.eventOf(id, 'incident.created');
    await bench.request('POST', `incidents/${id}/updates`, {
      body: 'The cause is known.',
      status: 'identified',
    });
    await bench.request('DELETE', `incidents/${id}/updates/${created.update_id}`);
    expect(await bench.send(recipient, created)).toEqual(SENT);
    expect((await bench.last()).text).toContain('The cause is known.');
  });

  it('goes out although the clock of the process that wrote its incident was an hour fast', async () => {
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    const id = await incident().finally(() => vi.useRealTimers());
    // The clock of the database was right. The embedded PostgreSQL uses the clock of the process.
    await bench.server.sql('UPDATE events SET created_at = now() WHERE resource_id = $1', [id]);
    const event = await bench.eventOf(id, 'incident.created');
    expect(await bench.send(await bench.subscriber(), event)).toEqual(SENT);
  });

  it('goes out before an incident that starts in some minutes', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident({ started_at: inHours(4 / 60) })];
    expect(await bench.send(recipient, await bench.eventOf(id, 'incident.created'))).toEqual(SENT);
  });

  it('stays unsent if it is about a postmortem that has been removed', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    await bench.request('PATCH', `incidents/${id}`, { postmortem: 'A cable.' });
    const event = await bench.eventOf(id, 'incident.postmortem_published');
    expect(await bench.send(recipient, event)).toEqual(SENT);
    const other = await incident();
    await bench.request('PATCH', `incidents/${other}`, { postmortem: 'A cable.' });
    await bench.request('PATCH', `incidents/${other}`, { postmortem: null });
    const removed = await bench.eventOf(other, 'incident.postmortem_published');
    expect(await bench.send(recipient, removed)).toEqual(NOTHING);
  });
});

describe('mail about a maintenance window', () => {
  it('goes out when its reminder, its start and its end are due', async () => {
    const [recipient, id] = [await bench.subscriber(), await maintenance([10, 12])];
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.scheduled'))).toEqual(SENT);
    await bench.pass(9.5, id);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.reminder'))).toEqual(SENT);
    await bench.pass(1.5, id);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.started'))).toEqual(SENT);
    await bench.pass(1.5, id);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.completed'))).toEqual(SENT);
    expect((await bench.last()).subject).toBe('[Acme Cloud] Completed: Upgrade');
  });

  it('goes out about its start from a process whose clock is slow', async () => {
    const [recipient, id] = [await bench.subscriber(), await maintenance([10, 12])];
    const event = await bench.eventOf(id, 'maintenance.started');
    expect(await bench.send(recipient, event)).toEqual(SENT);
  });

  it('stays unsent if it is a reminder or about a start, and the window was moved', async () => {
    const [recipient, id] = [await bench.subscriber(), await maintenance([10, 12])];
    await bench.pass(9.5, id);
    const reminder = await bench.eventOf(id, 'maintenance.reminder');
    await bench.request('PATCH', `maintenances/${id}`, { starts_at: inHours(20), ends_at: inHours(22) });
    expect(await bench.send(recipient, reminder)).toEqual(NOTHING);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.rescheduled'))).toEqual(SENT);

    const moved = await maintenance([10, 12]);
    await bench.pass(10.5, moved);
    const started = await bench.eventOf(moved, 'maintenance.started');
    await bench.request('PATCH', `maintenances/${moved}`, { starts_at: inHours(1) });
    expect(await bench.send(recipient, started)).toEqual(NOTHING);
  });

  it('stays unsent if it is about a start after the end, or a reminder after the start', async () => {
    const [recipient, id] = [await bench.subscriber(), await maintenance([10, 12])];
    await bench.pass(11, id);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.reminder'))).toEqual(NOTHING);
    await bench.pass(2, id);
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.started'))).toEqual(NOTHING);
  });

  it('reports only the cancellation of a cancelled window', async () => {
    const [recipient, id] = [await bench.subscriber(), await maintenance([10, 12])];
    const planned = await Promise.all(
      ['scheduled', 'reminder', 'started', 'completed'].map((type) =>
        bench.eventOf(id, `maintenance.${type}`),
      ),
    );
    await bench.request('PATCH', `maintenances/${id}`, { status: 'cancelled' });
    // The planned events are deleted. A process may have claimed their deliveries before.
    for (const event of planned) {
      await bench.server.sql(
        `INSERT INTO events (id, organization_id, project_id, type, resource_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO NOTHING`,
        [event.id, event.organization_id, event.project_id, event.type, id, event.created_at],
      );
      expect(await bench.send(recipient, event)).toEqual(NOTHING);
    }
    expect(await bench.send(recipient, await bench.eventOf(id, 'maintenance.cancelled'))).toEqual(SENT);
    const { text } = await bench.last();
    expect(text).toContain('This maintenance has been cancelled.');
  });
});

describe('mail of a private page', () => {
  it('contains the text and the link to the subscription, but no link to the page', async () => {
    const page = await bench.create('status-pages', { name: 'Internal', slug: 'inside', is_public: false });
    const [recipient, id] = [await bench.subscriber({}, page), await incident()];
    expect(await bench.send(recipient, await bench.eventOf(id, 'incident.created'))).toEqual(SENT);
    const { text, html, headers } = await bench.last();
    expect(text).toContain('Looking.');
    expect(`${text}${html}`).not.toContain('/incidents/');
    expect(text).toMatch(/https:\/\/status\.example\.com\/status\/inside\/subscription\/st_[\w-]{54}/);
    expect(JSON.stringify(headers.get('list'))).toContain('/status/inside/unsubscribe/');
  });

  it('contains the link, and mail about subscriptions is sent, if rules let in visitors', async () => {
    const fields = { name: 'Gated', slug: 'gated', is_public: false, subscribe_enabled: true };
    const page = await bench.create('status-pages', fields);
    const { key } = bench.tenant;
    await bench.server.ask(`/v1/status-pages/${page}/access`, {
      method: 'PUT',
      key,
      json: { networks: ['192.0.2.1'] },
    });
    const pending = await bench.subscriber({ status: 'pending' }, page);
    expect(await bench.send(pending, 'confirmation')).toEqual(SENT);
    const [recipient, id] = [await bench.subscriber({}, page), await incident()];
    expect(await bench.send(recipient, await bench.eventOf(id, 'incident.created'))).toEqual(SENT);
    expect((await bench.last()).text).toContain(`/status/gated/incidents/${id}`);
  });
});

describe('mail about a subscription', () => {
  it('stays unsent after the page has stopped taking subscriptions or became private', async () => {
    for (const settings of [{ subscribe_enabled: false }, { is_public: false }]) {
      const fields = { name: 'Closed', is_public: true, subscribe_enabled: true, ...settings };
      const page = await bench.create('status-pages', fields);
      const pending = await bench.subscriber({ status: 'pending' }, page);
      const active = await bench.subscriber({}, page);
      expect(await bench.send(pending, 'confirmation')).toEqual(NOTHING);
      expect(await bench.send(active, 'subscription')).toEqual(NOTHING);
    }
  });

  it('asks subscribers whom the API has created to confirm, also without the form for visitors', async () => {
    const page = await bench.create('status-pages', { name: 'By invitation' });
    const pending = await bench.subscriber({ status: 'pending', source: 'api' }, page);
    expect(await bench.send(pending, 'confirmation')).toEqual(SENT);
    expect((await bench.last()).text).toContain('/confirm/st_');
  });

  it('contains the link to the subscription of an address that is already subscribed', async () => {
    expect(await bench.send(await bench.subscriber(), 'subscription')).toEqual(SENT);
    const { text, subject, headers } = await bench.last();
    expect(subject).toBe('[Acme Cloud] You have subscribed already');
    expect(text).toMatch(/\/status\/acme\/subscription\/st_[\w-]{54}/);
    expect(headers.has('list')).toBe(false);
  });
});

describe('a failure', () => {
  it('leaves the outcome unchanged if the delivery cannot be recorded', async () => {
    const warn = vi.spyOn(bench.server.app.get<Logger>(LOGGER), 'warn');
    const [recipient, id] = [await bench.subscriber(), await incident()];
    const event = await bench.eventOf(id, 'incident.created');
    await bench.server.sql('ALTER TABLE subscribers RENAME last_sent_at TO renamed');
    try {
      expect(await bench.send(recipient, event)).toEqual(SENT);
    } finally {
      await bench.server.sql('ALTER TABLE subscribers RENAME renamed TO last_sent_at');
    }
    expect(bench.sink.received).toHaveLength(1);
    expect(warn).toHaveBeenCalledWith(
      { err: expect.any(Error) },
      'could not save last_sent_at of subscribers',
    );
    warn.mockRestore();
  });

  it('appears in the log without the address, and the mail goes out later', async () => {
    const error = vi.spyOn(bench.server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
    const [recipient, id] = [await bench.subscriber({ email: 'jane@example.org' }), await incident()];
    const event = await bench.eventOf(id, 'incident.created');
    await bench.server.sql('ALTER TABLE events RENAME update_id TO renamed');
    try {
      expect(await bench.send(recipient, event)).toMatchObject({ kind: 'retry', error: 'internal error' });
    } finally {
      await bench.server.sql('ALTER TABLE events RENAME renamed TO update_id');
    }
    expect(error).toHaveBeenCalledWith(
      { delivery_id: expect.any(String), err: expect.any(Error) },
      'could not send a mail; retrying',
    );
    expect(String(error.mock.calls[0]?.[0])).not.toContain('jane');
    error.mockRestore();
    expect(await bench.send(recipient, event)).toEqual(SENT);
  });
});

describe('a batch', () => {
  it('records each delivery in its subscriber', async () => {
    const recipients = await Promise.all(Array.from({ length: 60 }, () => bench.subscriber()));
    const event = await bench.eventOf(await incident(), 'incident.created');
    const outcomes = await bench.sendAll(recipients.map((recipient) => bench.delivery(recipient, event)));
    expect(outcomes).toEqual(recipients.map(() => SENT));
    const [row] = await bench.server.sql<{ count: number }[]>(
      'SELECT count(*)::integer AS count FROM subscribers WHERE id = ANY($1) AND last_sent_at IS NOT NULL',
      [recipients],
    );
    expect(row?.count).toBe(60);
  });
});
