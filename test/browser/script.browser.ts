import type { IncomingMessage, Server } from 'node:http';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Author, FINE } from '../public-page/html-examples.js';
import { until } from '../support/server.js';
import { useSite } from './use-site.js';

const MINUTE_MS = 60_000;

const site = useSite();

/** Returns the text of a page, with times in machine-readable form. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const copy = document.createElement('div');
    copy.append(...[...document.querySelectorAll('header, main, footer')].map((one) => one.cloneNode(true)));
    for (const time of copy.querySelectorAll('time')) time.textContent = time.dateTime;
    for (const hidden of copy.querySelectorAll('[hidden]')) hidden.remove();
    return copy.textContent ?? '';
  });

describe('a page without JavaScript', () => {
  it('shows the same text', async () => {
    for (const { path } of site.examples) {
      const response = await fetch(site.server.url + path);
      const document = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
      delete document.headers['content-encoding'];
      const texts: string[] = [];
      for (const javaScriptEnabled of [true, false]) {
        const { page } = await site.open({ javaScriptEnabled });
        // Both visits get the same bytes. A minute later, some durations are longer.
        await page.route(site.server.url + path, (route) => route.fulfill(document));
        await page.goto(path);
        texts.push(await textOf(page));
        await page.context().close();
      }
      const [withScript, without] = texts;
      expect(without?.length).toBeGreaterThan(20);
      expect(withScript).toBe(without);
    }
  });
});

describe('times', () => {
  it("appear in the page's time zone, with the visitor's in titles", async () => {
    const { path = '' } = site.examples.find(({ name }) => name === 'a resolved incident') ?? {};
    const { page } = await site.visit(path);
    const times = await page.locator('main time[data-local]').evaluateAll((all) =>
      all.map((one) => ({
        text: one.textContent,
        title: one.getAttribute('title'),
        at: one.getAttribute('datetime'),
      })),
    );
    expect(times.length).toBeGreaterThan(4);
    const clockIn = (timeZone: string, at: string | null) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(
        new Date(at ?? ''),
      );
    for (const { text, title, at } of times) {
      expect(text).toContain(clockIn('UTC', at));
      expect(text).toContain('UTC');
      expect(title).toContain(clockIn('America/New_York', at));
      expect(title).not.toContain('UTC');
    }
  });
});

describe('the script of a page', () => {
  let author: Author;
  let monitors: string[];
  beforeAll(async () => {
    author = new Author(site.server, site.tenant);
    monitors = [];
    for (let number = 1; number <= 20; number++) monitors.push(await author.monitor(`Live ${number}`, FINE));
  });

  /** Opens a page that only this test changes, in a tab whose clock the test controls. */
  async function watch(slug: string) {
    const sections = [
      { id: 'one', title: 'One', monitor_ids: monitors.slice(0, 10) },
      { id: 'two', title: 'Two', monitor_ids: monitors.slice(10) },
    ];
    const id = await author.page(slug, { name: 'Live', sections });
    const path = `/status/${slug}`;
    const tab = await site.open();
    const refreshes: Request[] = [];
    await tab.page.clock.install();
    await tab.page.goto(path);
    tab.page.on('request', (request) => {
      if (new URL(request.url()).pathname === path) refreshes.push(request);
    });
    /** Creates an incident on this page and waits until the server shows it. */
    const change = async (title: string): Promise<void> => {
      await author.incident({
        title,
        updates: [{ ago: 1, status: 'investigating', body: 'Look.' }],
        status_page_ids: [id],
      });
      await until(async () => (await (await fetch(site.server.url + path)).text()).includes(title));
    };
    /** Advances the clock, and waits for another request so that earlier responses can arrive. */
    const pass = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        await tab.page.clock.runFor(MINUTE_MS);
        await tab.page.evaluate(async (url) => {
          await (await fetch(url, { cache: 'no-store' })).text();
        }, '/status/assets/page.js');
      }
    };
    /** Changes a field of this page and waits until the server shows it. */
    const set = async (json: object, shown: string): Promise<void> => {
      const { key } = site.tenant;
      const { status, text } = await site.server.ask(`/v1/status-pages/${id}`, {
        method: 'PATCH',
        key,
        json,
      });
      if (status !== 200) throw new Error(text);
      await until(async () => (await (await fetch(site.server.url + path)).text()).includes(shown));
    };
    return { ...tab, path, refreshes, change, set, pass };
  }

  const headline = (page: Page) => page.locator('h1').textContent();

  it('requests the page once a minute with If-None-Match', async () => {
    const { page, path, pass } = await watch('live-etag');
    const asked: (string | undefined)[] = [];
    const http: Server = site.server.app.getHttpServer();
    const listen = ({ url, headers }: IncomingMessage) => {
      if (url === path) asked.push(headers['if-none-match']);
    };
    http.prependListener('request', listen);
    await pass(1);
    await expect.poll(() => asked.length).toBe(1);
    await pass(3);
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(3);
    http.off('request', listen);
    expect(asked.length).toBeLessThanOrEqual(4);
    for (const etag of asked) expect(etag).toMatch(/^"/);
    expect(await headline(page)).toBe('All systems operational');
  });

  it('shows changes and announces only the headline', async () => {
    const { page, change, pass, faults } = await watch('live-change');
    const live = page.locator('[role=status], [aria-live]');
    expect(await live.allTextContents()).toEqual(['']);
    const before = await headline(page);
    await change('Something is wrong');
    await pass(1);
    await page.getByText('Something is wrong').first().waitFor();
    const after = await headline(page);
    expect(after).not.toBe(before);
    expect(await live.allTextContents()).toEqual([after]);
    expect(await page.title()).toContain(after);
    expect(faults).toEqual([]);
  });

  it('shows a new header without a reload', async () => {
    const { page, set, pass, faults } = await watch('live-name');
    await page.evaluate(() => document.body.setAttribute('data-kept', ''));
    await set({ name: 'Renamed' }, 'Renamed');
    await pass(1);
    await page.locator('header').getByText('Renamed').waitFor();
    expect(await page.locator('body[data-kept]').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('reloads to show another color, but only while nothing is focused', async () => {
    const { page, set, pass, faults } = await watch('live-color');
    const stripe = () =>
      page.locator('header').evaluate((element) => getComputedStyle(element).borderTopColor);
    await page.getByRole('link', { name: 'Live 15' }).focus();
    await set({ accent_color: '#123456' }, '#123456');
    await pass(3);
    expect(await stripe()).not.toBe('rgb(18, 52, 86)');
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.clock.runFor(MINUTE_MS);
    await expect.poll(stripe).toBe('rgb(18, 52, 86)');
    expect(faults.filter((fault) => !fault.startsWith('failed: '))).toEqual([]); // interrupted requests
  });

  it('keeps the scroll position, the focus and open sections', async () => {
    const { page, change, pass } = await watch('live-place');
    await page.setViewportSize({ width: 1280, height: 400 }); // the page has to scroll
    const link = page.getByRole('link', { name: 'Live 15' });
    const section = page.locator('details').first();
    await section.locator('summary').first().click();
    const wasOpen = await section.getAttribute('open');
    await link.focus();
    await link.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const top = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const before = await top();
    await change('Pushes all down');
    await pass(1);
    await page.getByText('Pushes all down').first().waitFor({ state: 'attached' });
    expect(await page.locator(':focus').textContent()).toContain('Live 15');
    expect(await section.getAttribute('open')).toBe(wasOpen);
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1);
  });

  it('leaves the document untouched if the page is unchanged', async () => {
    const { page, pass } = await watch('live-still');
    const changes = await page.evaluateHandle(() => {
      const seen: string[] = [];
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          if (!element?.closest('.updated, #out-of-date')) seen.push(element?.outerHTML.slice(0, 80) ?? '');
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      return seen;
    });
    await pass(2);
    expect(await changes.jsonValue()).toEqual([]);
  });

  it('pauses while the tab is hidden and refreshes when it is visible again', async () => {
    const { page, refreshes, pass, change } = await watch('live-hidden');
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibilityState });
        Object.defineProperty(document, 'hidden', {
          configurable: true,
          value: visibilityState === 'hidden',
        });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await show('hidden');
    await change('While nobody looks');
    await pass(10);
    expect(refreshes).toHaveLength(0);
    await show('visible');
    await page.getByText('While nobody looks').first().waitFor();
    expect(refreshes).toHaveLength(1);
  });

  it('keeps the page while the server is down and continues when it is back', async () => {
    const { page, refreshes, pass, change } = await watch('live-away');
    await page.context().setOffline(true);
    await page.clock.runFor(2 * MINUTE_MS);
    expect(await headline(page)).toBe('All systems operational');
    await page.context().setOffline(false);
    await change('Back again');
    const asked = refreshes.length;
    await pass(2);
    await page.getByText('Back again').first().waitFor();
    expect(refreshes.length).toBeGreaterThan(asked);
  });
});
