import { describe, expect, it } from 'vitest';
import { renderIncident } from '../../src/page-documents/components/incident-page.js';
import { servedLinks } from '../../src/page-model/links.js';
import { viewOf } from '../../src/page-model/view.js';
import { head, incident } from '../public-page/components-data.js';
import { datesOf } from '../../src/page-model/dates.js';
import { useSite } from './use-site.js';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh'];
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata'];
const MINUTE_MS = 60_000;

const site = useSite();

/**
 * Opens a page with an incident in a language and a time zone, in a browser at the time of the page and in another time zone.
 * @param minutes age of the newest update
 */
async function open(language: string, pageZone: string, timezoneId: string, minutes = 12) {
  const as_of = new Date();
  const ago = (count: number) => new Date(as_of.getTime() - count * MINUTE_MS);
  const page = head({ as_of });
  const view = viewOf(servedLinks({ public_url: 'https://status.example.com' }, 'acme'), page);
  const localized = {
    ...view,
    words: { ...view.words, language },
    dates: datesOf(language, pageZone, as_of),
  };
  const [update] = incident('Slow').updates;
  if (!update) throw new Error('an incident has updates');
  const data = incident('Slow', {
    status: 'resolved',
    started_at: new Date('2025-12-31T20:20:00.000Z'),
    resolved_at: new Date('2026-01-01T04:50:00.000Z'),
    updates: [
      { ...update, posted_at: ago(minutes) },
      { ...update, id: 'older', posted_at: ago(60 * 24 * 40) },
    ],
  });
  const html = renderIncident({ page, incident: data }, localized).body;
  const tab = await site.open({ timezoneId });
  await tab.page.clock.install({ time: as_of });
  const path = '/status/acme/incidents/times';
  await tab.page.route(`**${path}`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
  );
  await tab.page.goto(path, { waitUntil: 'load' });
  const times = await tab.page
    .locator('time[data-local]')
    .evaluateAll((all) => all.map((one) => ({ text: one.textContent, title: one.getAttribute('title') })));
  return { ...tab, times };
}

describe('the script of a page', () => {
  it.each(LANGUAGES)('formats times as the server does in the language %s', async (language) => {
    for (const zone of ZONES) {
      const { times, page, faults } = await open(language, zone, zone);
      expect(times.length).toBe(4);
      for (const { text, title } of times) expect({ zone, text }).toEqual({ zone, text: title });
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it("keeps the times in the page's time zone, like its days, with the visitor's times in titles", async () => {
    const { times, page } = await open('de', 'UTC', 'Europe/Berlin');
    expect(times[0]?.text?.replaceAll('\u00a0', ' ')).toBe('31. Dez. 2025, 20:20 – 1. Jan., 04:50 UTC');
    expect(times[0]?.title?.replaceAll('\u00a0', ' ')).toBe('31. Dez. 2025, 21:20 – 1. Jan., 05:50 MEZ');
    expect(await page.locator('time[data-relative]').first().textContent()).toBe('vor 12 Minuten');
  });

  it('shows one time zone in a document, which is not the zone of the visitor', async () => {
    const { page } = await site.visit('/status/acme-cloud');
    const zones = await page
      .locator('time[data-local]')
      .evaluateAll((all) =>
        all.map((one) =>
          [one.textContent, one.getAttribute('title')].map(
            (text) => /\b(UTC|E[SD]T)\b/.exec(text ?? '')?.[1],
          ),
        ),
      );
    expect(zones.length).toBeGreaterThan(2);
    for (const [shown, title] of zones) {
      expect(shown).toBe('UTC');
      expect(title).toMatch(/^E[SD]T$/);
    }
  });

  it('updates relative times each minute while the server is down', async () => {
    const { page } = await open('en', 'UTC', 'America/New_York');
    const newest = page.locator('.updates time[data-relative]');
    expect(await newest.allTextContents()).toEqual(['12 minutes ago']);
    await page.context().setOffline(true);
    await page.clock.runFor(3 * MINUTE_MS + 1_000);
    await expect.poll(() => newest.allTextContents()).toEqual(['15 minutes ago']);
    await page.clock.runFor(50 * MINUTE_MS);
    await expect.poll(() => newest.allTextContents()).toEqual(['1 hour ago']);
    expect(await page.locator('.updated [data-relative]').textContent()).toBe('53 minutes ago');
  });
});
