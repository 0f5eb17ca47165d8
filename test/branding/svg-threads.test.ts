import { describe, expect, it } from 'vitest';
import { SVG_LIMITS, SvgThreads } from '../../src/branding/images/svg-threads.js';
import { SMALL_SVG } from '../support/resources.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useBranding } from './use-branding.js';

const server = useTestServer();
const tenant = useTenant(server);
const { put } = useBranding(server, tenant);

/** An SVG of 100 KiB whose attribute `fill` repeats a text. */
const svgOf = (text: string): string => {
  const [before, after] = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g fill="',
    '"/></svg>',
  ];
  return before + text.repeat(Math.floor((102_400 - before.length - after.length) / text.length)) + after;
};

/** Returns the longest time for which the event loop was blocked during `work`, in milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const measure = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    next = setImmediate(measure);
  };
  let next = setImmediate(measure);
  await work();
  clearImmediate(next);
  return Math.max(longest, performance.now() - last);
}

describe('an SVG of 100 KiB', () => {
  it.each(['url(#', 'url( ', 'url(#a', 'url("#', '@-a', '@-a-', '\\', 'a '])(
    'gets a response without blocking the event loop if it repeats %s',
    async (text) => {
      const { id } = await server.page(tenant);
      let status = 0;
      const blocked = await longestBlock(async () => {
        ({ status } = await put(id, 'logo', svgOf(text)));
      });
      expect([200, 400]).toContain(status);
      expect(blocked).toBeLessThan(500);
    },
  );
});

describe('the threads that check SVGs', () => {
  it('reject an SVG whose check takes too long, and then check others', async () => {
    const svg = Buffer.from(SMALL_SVG);
    const threads = new SvgThreads({ ...SVG_LIMITS, taskMs: 1 });
    await expect(threads.check(svg)).rejects.toThrow('The SVG is too complex');
    await expect(threads.check(svg)).rejects.toThrow('The SVG is too complex');
    const others = new SvgThreads(SVG_LIMITS);
    expect(await others.check(svg)).toMatchObject({ width: expect.any(Number) });
    await others.onApplicationShutdown();
  });
});
