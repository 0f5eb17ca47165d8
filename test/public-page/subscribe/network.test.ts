import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/branding/languages.js';
import { wordsOf } from '../../../src/page-model/words.js';
import { MAX_SUBSCRIPTIONS } from '../../../src/visitors/routes/subscription-flow.js';
import { faultsOf } from '../html-faults.js';
import { everything, newNetwork, useSubscribe } from './use-subscribe.js';

const { visit, send, page, requests } = useSubscribe();

/** Sends forms from an address until the server rejects one. Returns how many it has accepted. */
async function flood(path: string, address: () => string): Promise<number> {
  for (let count = 0; count <= 2 * MAX_SUBSCRIPTIONS; count++) {
    const sent = await send(path, everything(`a${count}@example.com`), { 'X-Forwarded-For': address() });
    if (sent.status === 429) return count;
    expect(sent.status).toBe(200);
  }
  return Infinity;
}

describe('a client network', () => {
  it('requests at most 20 subscriptions in an hour, for all pages together', async () => {
    const { id, slug } = await page();
    const { id: otherId, slug: other } = await page();
    const network = newNetwork();
    expect(await flood(`${slug}/subscribe`, () => network)).toBe(20);
    for (const language of LANGUAGES) {
      const headers = { 'X-Forwarded-For': network };
      const rejected = await send(
        `${other}/subscribe?lang=${language}`,
        everything('b@example.com'),
        headers,
      );
      expect(rejected.status).toBe(429);
      const retryAfter = Number(rejected.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(3_000);
      expect(retryAfter).toBeLessThanOrEqual(3_600);
      expect(rejected.headers.get('cache-control')).toBe('private, no-store');
      expect(rejected.text).toContain(wordsOf(language).subscription.too_many_text);
      expect(faultsOf(rejected.text)).toEqual([]);
    }
    expect(await requests({ id })).toHaveLength(20);
    expect(await requests({ id: otherId })).toEqual([]);
    expect((await send(`${slug}/subscribe`, everything('c@example.com'))).status).toBe(200);
  });

  it('consists of an IPv4 address, or a /64 network of IPv6', async () => {
    const { slug } = await page();
    let host = 0;
    expect(await flood(`${slug}/subscribe`, () => `2001:db8:1:1::${(host += 1).toString(16)}`)).toBe(20);
    expect(await flood(`${slug}/subscribe`, () => `198.51.100.7:${(host += 1)}`)).toBe(20);
    const headers = { 'X-Forwarded-For': '198.51.100.8' };
    expect((await send(`${slug}/subscribe`, everything('a@example.com'), headers)).status).toBe(200);
  });

  it('can correct wrong forms and read the form any number of times', async () => {
    const { slug } = await page();
    const headers = { 'X-Forwarded-For': newNetwork() };
    for (let count = 0; count < 2 * MAX_SUBSCRIPTIONS; count++) {
      expect((await send(`${slug}/subscribe`, everything('wrong'), headers)).status).toBe(400);
      expect((await visit(`${slug}/subscribe`, { headers })).status).toBe(200);
    }
    expect((await send(`${slug}/subscribe`, everything('right@example.com'), headers)).status).toBe(200);
  });
});
