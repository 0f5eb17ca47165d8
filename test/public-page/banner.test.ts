import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useVisits } from './use-visits.js';

const { monitor, monitorIn, pageOf, incident, visit } = useVisits();

/** Maximum size of the script, in bytes. */
const MAX_BYTES = 3_000;

describe('GET /status/{slug}/banner.js', () => {
  it('returns the same small script for every page, with the documented hash', async () => {
    const one = await visit(`${(await pageOf([])).slug}/banner.js?v=1`);
    const other = await visit(`${(await pageOf([await monitor()])).slug}/banner.js`);
    expect(one.text).toBe(other.text);
    expect(Buffer.byteLength(one.text)).toBeLessThan(MAX_BYTES);
    expect(one.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    // `integrity` requires CORS.
    expect(one.headers.get('access-control-allow-origin')).toBe('*');
    expect(one.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const hash = createHash('sha384').update(one.text).digest('base64');
    expect(readFileSync('docs/public-pages.md', 'utf8')).toContain(`integrity="sha384-${hash}"`);
  });
});

describe('GET /status/{slug}/embed', () => {
  it('allows every site to frame and read the headline of a public page', async () => {
    const { slug } = await pageOf([await monitor()]);
    const { headers, text } = await visit(`${slug}/embed`);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*;frame-ancestors \*$/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(text).toContain('All systems operational');
    expect(text).not.toContain('data-color="');
  });

  it.each([
    ['major_outage', 'Major outage', '#c8233f'],
    ['degraded_performance', 'All systems are degraded', '#bf8210'],
  ] as const)('marks the headline while something is wrong: %s', async (status, headline, color) => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    await incident({ [id]: status });
    const { text } = await visit(`${slug}/embed`);
    expect(text).toMatch(new RegExp(`<a href="http[^"]*/${slug}"[^>]* data-color="${color}">${headline} · `));
  });

  it('leaves the headline unmarked while only data is missing', async () => {
    const { slug } = await pageOf([await monitorIn('unknown')]);
    expect((await visit(`${slug}/embed`)).text).toMatch(/#i-unknown(?!.*data-color=")/s);
  });
});
