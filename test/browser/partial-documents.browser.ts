import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shiftsOf } from './layout-shifts.js';
import { useSite } from './use-site.js';

const site = useSite();

/**
 * Sends the document of a status page in two parts, as a slow network does: first the part before `at`, then, after `release`, the
 * rest. Chromium also paints such parts of a whole document if the processor is busy.
 */
let paused = { html: '', at: 0 };
let release: () => void = () => {};
const slow = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.write(paused.html.slice(0, paused.at));
  release = () => response.end(paused.html.slice(paused.at));
});

beforeAll(async () => {
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
});
afterAll(() => slow.close());

const isPainted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

const FIRST = [
  /<h1.*?<\/h1>/s,
  /<article.*?<\/h3>.*?<\/p>/s,
  /<summary.*?<\/summary>/s,
  /<li class="monitor".*?<\/li>/s,
];

/** Positions after each element and each sign of the headline, and of the first incident, section and monitor. */
const cutsOf = (html: string): number[] =>
  FIRST.flatMap((pattern) => {
    const { 0: part, index } = pattern.exec(html) ?? { 0: '', index: 0 };
    expect(part).not.toBe('');
    return [...part.matchAll(/<\/(?:h\d|p|a|span|li)>|<\/svg>(?=<span)/g)].map(
      (end) => index + end.index + end[0].length,
    );
  });

describe('a document of which a part has arrived', () => {
  it.each([360, 1440])('moves nothing at %i px when the rest arrives', async (width) => {
    const { text } = await site.server.ask('/status/partial-outage');
    const html = text.replace(/<script.*?<\/script>/gs, '');
    const address = slow.address();
    const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}/` : '';
    const { page } = await site.open({ viewport: { width, height: 2_000 } });
    for (const at of cutsOf(html)) {
      paused = { html, at };
      await page.goto(url, { waitUntil: 'commit' });
      await isPainted(page);
      const loaded = page.waitForLoadState('load');
      release();
      await loaded;
      const before = html.slice(at - 60, at);
      expect({ before, shifts: await shiftsOf(page) }).toEqual({ before, shifts: [] });
    }
  });
});
