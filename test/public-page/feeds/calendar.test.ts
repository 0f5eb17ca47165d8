import ICAL from 'ical.js';
import { describe, expect, it, vi } from 'vitest';
import { useFeeds } from './use-feeds.js';

const { server, monitor, pageOf, visit, textOf, seen, patch, maintenance, maintenanceOf, maintenanceUpdate } =
  useFeeds();

const MAX_OCTETS = 75;
/** Changes within a tenth of a second share a SEQUENCE. */
const STEP_MS = 100;

/** Event, as a calendar client reads it. */
interface ReadEvent {
  uid: string;
  summary: string;
  description: string | null;
  start: number;
  end: number;
  sequence: number;
  status: string;
  url: string;
  stamp: number;
  modified: number;
}

/** Returns the events of a calendar. ical.js throws if the text is not iCalendar. */
function eventsIn(text: string): ReadEvent[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const time = (name: string): number => {
      const value: unknown = component.getFirstPropertyValue(name);
      return value instanceof ICAL.Time ? value.toJSDate().getTime() : NaN;
    };
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description,
      start: time('dtstart'),
      end: time('dtend'),
      sequence: event.sequence,
      status: String(component.getFirstPropertyValue('status')),
      url: String(component.getFirstPropertyValue('url')),
      stamp: time('dtstamp'),
      modified: time('last-modified'),
    };
  });
}

const second = (time: string): number => Math.floor(Date.parse(time) / 1_000) * 1_000;

/**
 * Creates a page with a maintenance window that starts and ends in the given numbers of days, and returns its calendar.
 */
async function pageWith(from: number, to: number, fields: object = {}) {
  const id = await monitor();
  const { slug } = await pageOf([id]);
  const made = await maintenance(from, to, { monitor_ids: [id], ...fields });
  const eventOf = async () => eventsIn(await textOf(slug, '/maintenance.ics'))[0];
  return { slug, id: made, eventOf };
}

describe('GET /status/{slug}/maintenance.ics', () => {
  it('returns text/calendar that other sites can read', async () => {
    const { slug } = await pageOf([]);
    const { status, headers } = await visit(slug, '/maintenance.ics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('contains an event for each maintenance window, ordered by start', async () => {
    const monitor_id = await monitor();
    const { slug } = await pageOf([monitor_id]);
    const later = await maintenance(4, 5, { monitor_ids: [monitor_id] });
    const id = await maintenance(2, 3, { monitor_ids: [monitor_id], body: 'New disks.' });
    const stored = await maintenanceOf(id);
    expect(eventsIn(await textOf(slug, '/maintenance.ics'))).toEqual([
      {
        uid: id,
        summary: 'Upgrade',
        description: 'New disks.\n\nAffected: Monitor',
        start: second(stored.starts_at),
        end: second(stored.ends_at),
        sequence: 0,
        status: 'CONFIRMED',
        url: `${server.url.replace('127.0.0.1', 'localhost')}/status/${slug}/maintenances/${id}`,
        stamp: second(stored.updated_at),
        modified: second(stored.updated_at),
      },
      expect.objectContaining({ uid: later }),
    ]);
  });

  it('keeps the UID and increases SEQUENCE, DTSTAMP and LAST-MODIFIED with each change', async () => {
    const { id, eventOf } = await pageWith(2, 3);
    const sequences = [(await eventOf())?.sequence ?? -1];
    for (const title of ['Upgrade of disks', 'Upgrade of all disks']) {
      await patch(`/v1/maintenances/${id}`, { title });
      const event = await seen(eventOf, (one) => one?.summary === title);
      expect(event?.uid).toBe(id);
      const { updated_at } = await maintenanceOf(id);
      expect([event?.stamp, event?.modified]).toEqual([second(updated_at), second(updated_at)]);
      sequences.push(event?.sequence ?? -1);
      await vi.waitFor(() => expect(Date.now() - Date.parse(updated_at)).toBeGreaterThan(STEP_MS));
    }
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(sequences).size).toBe(3);
  });

  it('describes the latest update, with a higher SEQUENCE', async () => {
    const { id, eventOf } = await pageWith(2, 3, { body: 'New disks.' });
    const before = await eventOf();
    for (const [posted_at, body] of [
      ['2026-01-10T02:00:00Z', 'The disks have arrived.'],
      ['2026-01-09T02:00:00Z', 'The disks are ordered.'],
    ])
      await maintenanceUpdate(id, { posted_at, body });
    const event = await seen(eventOf, (one) => one?.description !== before?.description);
    expect(event?.description).toBe(
      'New disks.\n\nUpdate of 10 Jan 2026, 02:00 UTC:\nThe disks have arrived.\n\nAffected: Monitor',
    );
    const { updated_at } = await maintenanceOf(id);
    expect([event?.stamp, event?.modified]).toEqual([second(updated_at), second(updated_at)]);
    expect(event?.sequence).toBeGreaterThan(before?.sequence ?? 0);
    expect([event?.uid, event?.start, event?.end]).toEqual([before?.uid, before?.start, before?.end]);
  });

  it('contains a cancelled maintenance window with its planned time and status CANCELLED', async () => {
    const { id, eventOf } = await pageWith(2, 3);
    const before = await eventOf();
    await patch(`/v1/maintenances/${id}`, { status: 'cancelled' });
    const event = await seen(eventOf, (one) => one?.status !== 'CONFIRMED');
    expect(event).toMatchObject({ uid: id, status: 'CANCELLED', summary: 'Cancelled: Upgrade' });
    expect([event?.start, event?.end]).toEqual([before?.start, before?.end]);
    expect(event?.sequence).toBeGreaterThan(before?.sequence ?? 0);
  });

  it('ends the event of a maintenance window that was closed early', async () => {
    const { id, eventOf } = await pageWith(-1, 1);
    const before = await eventOf();
    await patch(`/v1/maintenances/${id}`, { status: 'completed' });
    const event = await seen(eventOf, (one) => one?.end !== before?.end);
    expect(event?.status).toBe('CONFIRMED');
    expect(event?.start).toBe(before?.start);
    expect(Math.abs((event?.end ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('ends lines with CRLF and folds them at 75 octets without splitting a character', async () => {
    const title = `${'größe '.repeat(20)}${'🚧'.repeat(20)}`;
    const body = `${'日本語'.repeat(100)}\n\n${'a'.repeat(300)}, b; c \\ "d"`;
    const { slug, eventOf } = await pageWith(2, 3, { title, body });
    const bytes = Buffer.from(await (await visit(slug, '/maintenance.ics')).arrayBuffer());
    const text = bytes.toString('latin1');
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    const lines = text.slice(0, -2).split('\r\n');
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(MAX_OCTETS);
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    for (const line of lines) utf8.decode(Buffer.from(line, 'latin1'));
    expect(await eventOf()).toMatchObject({ summary: title, description: `${body}\n\nAffected: Monitor` });
  });

  it('returns a valid calendar without maintenance windows', async () => {
    const { slug } = await pageOf([]);
    expect(eventsIn(await textOf(slug, '/maintenance.ics'))).toEqual([]);
  });
});
