import { beforeAll, describe, expect, it } from 'vitest';
import { useBranding } from '../../branding/use-branding.js';
import { useVisits } from '../use-visits.js';

const { server, tenant, monitorIn, incident, pageOf, visit, visitUntil } = useVisits();

let slug: string;

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  await incident({ [monitor]: 'partial_outage' }, { body: undefined, status: 'identified' });
  const page = await pageOf([monitor]);
  slug = page.slug;
  await visit(slug);
  await useBranding(server, tenant).patch(page.id, { language: 'de' });
});

/** Matches a page in a language. */
const pageIn = (language: string) =>
  expect.stringMatching(new RegExp(`^<!DOCTYPE html><html lang="${language}">`));

describe('a page whose branding has the language German', () => {
  it('shows German words two seconds later, and links without a language', async () => {
    const { text } = await visitUntil(slug, (visited) => visited.text.includes('<html lang="de">'));
    expect(text).toContain('<h1>Teilausfall</h1>');
    expect(text).toContain('Die Ursache wurde gefunden.');
    expect(text).toContain(`href="/status/${slug}/feed.rss"`);
    expect(text).toMatch(/<title>Teilausfall · /);
  });

  it('shows English words at ?lang=en, and links that keep it', async () => {
    const { text } = await visit(`${slug}?lang=en`);
    expect(text).toEqual(pageIn('en'));
    expect(text).toContain('<h1>Partial outage</h1>');
    expect(text).toContain(`href="/status/${slug}/feed.rss?lang=en"`);
  });

  it('names the URL without a parameter as canonical at ?lang=de', async () => {
    const { text } = await visit(`${slug}?lang=de`);
    expect(text).toEqual(pageIn('de'));
    expect(text).toMatch(new RegExp(`<link rel="canonical" href="[^"?]*/status/${slug}"/>`));
    expect(text).not.toMatch(/href="[^"]*lang=de/);
  });

  it('returns feeds, a calendar and a badge in German, and api/v2 in English', async () => {
    const textOf = async (path: string) => (await visit(slug + path)).text;
    expect(await textOf('/feed.rss')).toContain('<language>de</language>');
    expect(await textOf('/feed.atom')).toContain('xml:lang="de"');
    expect(JSON.parse(await textOf('/feed.json'))).toMatchObject({
      language: 'de',
      items: [{ title: expect.stringMatching(/^Ursache gefunden: /) }],
    });
    expect(await textOf('/feed.rss?lang=en')).toContain('<language>en</language>');
    expect(await textOf('/maintenance.ics')).toMatch(/NAME:Wartungen: /);
    expect(JSON.parse(await textOf('/badge.json'))).toMatchObject({ message: 'Teilausfall' });
    expect(JSON.parse(await textOf('/badge.json?lang=en'))).toMatchObject({ message: 'partial outage' });
    expect(JSON.parse(await textOf('/api/v2/status.json'))).toMatchObject({
      status: { description: 'Partial System Outage' },
    });
  });

  it('returns the same 404 page as any other page, in English', async () => {
    const missing = await visit(`${slug}/incidents/018cc251-f400-7000-8000-000000000000`);
    const other = await visit('no-such-page');
    expect([missing.status, missing.text]).toEqual([404, other.text]);
    expect(missing.text).toEqual(pageIn('en'));
  });
});
