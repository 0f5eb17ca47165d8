import { describe, expect, it } from 'vitest';
import { FEED_FORMATS } from '../../../src/page-model/parts.js';
import { textsIn } from './xml.js';
import { useFeeds } from './use-feeds.js';

const {
  server,
  monitor,
  incident,
  pageOf,
  visit,
  textOf,
  feedOf,
  seen,
  patch,
  update,
  updatesOf,
  maintenance,
  maintenanceUpdate,
} = useFeeds();

const TYPES = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json',
};

const MAX_ENTRIES = 50;

/** Creates a page with an open incident that has two updates. */
async function pageWithIncident() {
  const id = await monitor();
  const { slug } = await pageOf([id]);
  const made = await incident({ [id]: 'partial_outage' });
  await update(made, { status: 'identified', body: 'A disk is **full**.' });
  return { slug, made, monitor_id: id };
}

describe.each(FEED_FORMATS)('the feed in %s', (format) => {
  it('sets its media type and allows other sites to read it', async () => {
    const { slug } = await pageOf([]);
    const { status, headers } = await visit(slug, `/feed.${format}?utm_source=reader`);
    expect([status, headers.get('content-type')]).toEqual([200, TYPES[format]]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('contains an entry per update, newest first, with a link to the update', async () => {
    const { slug, made } = await pageWithIncident();
    const [second, first] = await updatesOf(made);
    const url = `${server.url.replace('127.0.0.1', 'localhost')}/status/${slug}/incidents/${made.id}`;
    const { entries } = await feedOf(slug, format);
    expect(entries.map(({ id, title }) => [id, title])).toEqual([
      [`urn:uuid:${made.id}#update-${second?.id}`, 'Identified: Errors'],
      [`urn:uuid:${made.id}#update-${first?.id}`, 'Investigating: Errors'],
    ]);
    expect(entries.map((entry) => entry.url)).toEqual(
      [second, first].map((one) => `${url}#update-${one?.id}`),
    );
    const times = [second, first].map((one) => Date.parse(one?.posted_at ?? ''));
    for (const [index, { published }] of entries.entries())
      expect(Math.abs(published - (times[index] ?? 0))).toBeLessThan(1_000);
  });

  it('contains each update as HTML with the monitors that it affects', async () => {
    const { slug } = await pageWithIncident();
    const { entries } = await feedOf(slug, format);
    expect(entries.map(({ html }) => html)).toEqual([
      '<p>A disk is <strong>full</strong>.</p>\n',
      '<p>We look into it.</p>\n<p>Affected: Monitor (partial outage)</p>',
    ]);
  });

  it('keeps the ID and time of an entry if its update or incident is edited', async () => {
    const { slug, made } = await pageWithIncident();
    const before = await feedOf(slug, format);
    const [second] = await updatesOf(made);
    await patch(`/v1/incidents/${made.id}/updates/${second?.id}`, { body: 'A disk was full.' });
    await patch(`/v1/incidents/${made.id}`, { title: 'Failures' });
    const after = await seen(
      () => feedOf(slug, format),
      ({ entries }) => entries[0]?.title === 'Identified: Failures',
    );
    expect(after.entries[0]?.html).toBe('<p>A disk was full.</p>\n');
    const constant = ({ id, url, published }: (typeof after.entries)[number]) => [id, url, published];
    expect(after.entries.map(constant)).toEqual(before.entries.map(constant));
  });

  it(`contains at most the ${MAX_ENTRIES} newest entries of all incidents`, async () => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const old = await incident({ [id]: 'major_outage' }, { title: 'Old', started_at: hoursAgo(9) });
    const young = await incident({ [id]: 'major_outage' }, { title: 'Young', started_at: hoursAgo(8) });
    for (let index = 0; index < MAX_ENTRIES / 2; index++) {
      await update(old, { status: 'identified', body: `Old ${index}`, posted_at: hoursAgo(7 - index / 10) });
      await update(young, {
        status: 'identified',
        body: `Young ${index}`,
        posted_at: hoursAgo(7 - index / 10),
      });
    }
    const last = await update(old, { status: 'resolved', body: 'Done.' });
    const { entries } = await feedOf(slug, format);
    const times = entries.map(({ published }) => published);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect([entries.length, entries[0]?.title]).toEqual([MAX_ENTRIES, 'Resolved: Old']);
    expect(entries[0]?.id).toMatch(new RegExp(`#update-${last.id}$`));
    expect(new Set(entries.map(({ id: one }) => one)).size).toBe(MAX_ENTRIES);
    expect(entries.at(-1)?.html).toMatch(/(Old|Young) 0</);
  });

  it('dates an incident that was posted late at the time at which it became visible, unless it was over', async () => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await incident({ [id]: 'major_outage' }, { title: 'Recent', started_at: hoursAgo(1) });
    await incident({ [id]: 'major_outage' }, { title: 'Late', started_at: hoursAgo(7) });
    await incident({ [id]: 'major_outage' }, { title: 'Over', started_at: hoursAgo(7), status: 'resolved' });
    const { entries } = await feedOf(slug, format);
    expect(entries.map(({ title }) => title.split(': ')[1])).toEqual(['Late', 'Recent', 'Over']);
    const [late, , over] = entries.map(({ published }) => Date.now() - published);
    expect(late).toBeLessThan(60_000);
    expect(over).toBeGreaterThan(6 * 3_600_000);
  });

  it('contains entries for the announcement and the cancellation of a maintenance window', async () => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    const one = await maintenance(1, 2, { monitor_ids: [id], body: 'New disks.' });
    const announced = await feedOf(slug, format);
    expect(announced.entries).toHaveLength(1);
    expect(announced.entries[0]).toMatchObject({ title: 'Maintenance: Upgrade' });
    expect(announced.entries[0]?.id).toBe(`urn:uuid:${one}`);
    expect(announced.entries[0]?.url).toMatch(new RegExp(`/status/${slug}/maintenances/${one}$`));
    expect(announced.entries[0]?.html).toMatch(
      /^<p>Planned: <time datetime="[^"]+Z">[^<]+ UTC<\/time> – .*<p>New disks.<\/p>\n<p>Affected: Monitor<\/p>$/s,
    );
    await patch(`/v1/maintenances/${one}`, { status: 'cancelled' });
    const { entries } = await seen(
      () => feedOf(slug, format),
      (feed) => feed.entries.length > 1,
    );
    expect(entries.map(({ title }) => title)).toEqual(['Cancelled: Upgrade', 'Maintenance: Upgrade']);
    expect(entries[0]?.id).toBe(`${announced.entries[0]?.id}#cancelled`);
    expect(entries[1]?.id).toBe(announced.entries[0]?.id);
  });

  it('contains an entry for each update of a maintenance window, whose ID never changes', async () => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    const one = await maintenance(1, 2, { monitor_ids: [id], body: 'New disks.' });
    const announced = await feedOf(slug, format);
    const first = await maintenanceUpdate(one, { body: 'The disks **have arrived**.' });
    const second = await maintenanceUpdate(one, { body: 'We start earlier.' });
    const { entries } = await seen(
      () => feedOf(slug, format),
      (feed) => feed.entries.length > 2,
    );
    const url = announced.entries[0]?.id;
    expect(entries.map((entry) => [entry.id, entry.title])).toEqual([
      [`${url}#update-${second.id}`, 'Maintenance update: Upgrade'],
      [`${url}#update-${first.id}`, 'Maintenance update: Upgrade'],
      [url, 'Maintenance: Upgrade'],
    ]);
    expect(entries[1]?.html).toBe('<p>The disks <strong>have arrived</strong>.</p>\n');
    expect(entries[2]?.html).toBe(announced.entries[0]?.html);
    await patch(`/v1/maintenances/${one}/updates/${first.id}`, { body: 'The disks are here.' });
    const corrected = await seen(
      () => feedOf(slug, format),
      (feed) => feed.entries[1]?.html !== entries[1]?.html,
    );
    expect(corrected.entries.map((entry) => entry.id)).toEqual(entries.map((entry) => entry.id));
    expect(corrected.entries[0]).toEqual(entries[0]);
  });

  it('remains valid without entries', async () => {
    const { slug } = await pageOf([], { name: 'Quiet' });
    expect(await feedOf(slug, format)).toEqual({ title: 'Quiet status', entries: [] });
  });
});

describe('the feed in RSS and Atom', () => {
  it('contains absolute links to itself and the page', async () => {
    const { slug } = await pageWithIncident();
    const page = `${server.url.replace('127.0.0.1', 'localhost')}/status/${slug}`;
    const rss = await textOf(slug, '/feed.rss');
    expect(textsIn(rss, '//atom:link/@href')).toEqual([`${page}/feed.rss`]);
    expect(textsIn(rss, '/rss/channel/link')).toEqual([page]);
    const atom = await textOf(slug, '/feed.atom');
    expect(textsIn(atom, '/atom:feed/atom:link/@href')).toEqual([page, `${page}/feed.atom`]);
  });

  it('contains the last change of each entry and of the feed in Atom', async () => {
    const { slug, made } = await pageWithIncident();
    const [, first] = await updatesOf(made);
    await patch(`/v1/incidents/${made.id}/updates/${first?.id}`, { body: 'Edited.' });
    const [second, edited] = await updatesOf(made);
    const atom = await textOf(slug, '/feed.atom');
    expect(textsIn(atom, '//atom:entry/atom:updated')).toEqual([second?.updated_at, edited?.updated_at]);
    expect(textsIn(atom, '/atom:feed/atom:updated')).toEqual([edited?.updated_at]);
    expect(textsIn(await textOf(slug, '/feed.rss'), '//lastBuildDate')).toEqual([
      new Date(edited?.updated_at ?? '').toUTCString(),
    ]);
  });
});
