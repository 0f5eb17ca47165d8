import { describe, expect, it } from 'vitest';
import { TestServer, until, useTenant, useTestServer } from '../../support/server.js';
import { visit } from '../cache/use-visits.js';
import { newDomain } from './use-domain.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Two seconds, and a margin for slow test machines. */
const WITHIN_MS = 4_000;

const canonicalOf = ({ text }: { text: string }) => /rel="canonical" href="([^"]*)"/.exec(text)?.[1];

/** Changes the claim of a page, without making a process read it. */
const setStatus = (id: string, status: string) =>
  server.sql('UPDATE status_page_domains SET status = $2 WHERE status_page_id = $1', [id, status]);

/** Returns the milliseconds until a probe succeeds. */
async function timeUntil(probe: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  await until(probe);
  return performance.now() - started;
}

describe('two servers with one database', () => {
  it('both follow a domain that is verified and lost, within two seconds', async () => {
    const own = await TestServer.start(server.databaseEnv);
    try {
      const domain = newDomain();
      const { id, slug } = await server.page(tenant, { custom_domain: domain });
      const isServed = async () => {
        const there = await visit(`${own.url}/`, { host: domain });
        const here = await visit(`${own.url}/status/${slug}`);
        return there.status === 200 && canonicalOf(here) === `http://${domain}/`;
      };
      expect(await isServed()).toBe(false);
      await setStatus(id, 'verified');
      expect(await timeUntil(isServed)).toBeLessThan(WITHIN_MS);
      await setStatus(id, 'lost');
      const isGone = async () => {
        const there = await visit(`${own.url}/`, { host: domain });
        const here = await visit(`${own.url}/status/${slug}`);
        return there.status === 404 && canonicalOf(here) !== `http://${domain}/`;
      };
      expect(await timeUntil(isGone)).toBeLessThan(WITHIN_MS);
    } finally {
      await own.stop();
    }
  });
});
