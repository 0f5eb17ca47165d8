import { describe, expect, it } from 'vitest';
import { domainsOf } from '../../domains/use-domains.js';
import { useTenant, useTestServer } from '../../support/server.js';
import { visit } from '../cache/use-visits.js';

const PUBLIC_URL = 'https://status.example/our';
const HOME_PAGE = 'home';
const DOMAIN = 'status.acme.example';

const server = useTestServer({ HOME_PAGE, PUBLIC_URL });
const tenant = useTenant(server);
const domains = domainsOf(server);

const on = (host: string, path: string) => visit(server.url + path, { host });

describe('a server with HOME_PAGE and a path in PUBLIC_URL', () => {
  it('ignores both on a domain, also for the page of HOME_PAGE', async () => {
    const home = await domains.page(tenant, DOMAIN, { slug: HOME_PAGE, name: 'Home' });
    const other = await domains.page(tenant, 'other.acme.example', { name: 'Other' });
    for (let round = 0; round < 2; round++) {
      // also from the cache
      const shown = await on(DOMAIN, '/');
      expect([shown.status, shown.headers['location']]).toEqual([200, undefined]);
      expect(shown.text).toContain('src="/status/assets/page.js"');
      expect(shown.text).toContain('href="/feed.rss"');
      expect(shown.text).toContain(`<link rel="canonical" href="https://${DOMAIN}/"`);
      expect((await on('other.acme.example', '/')).text).toContain('Other');
      const { text } = await on('status.example', '/');
      expect(text).toContain('Home');
      expect(text).toContain(`<link rel="canonical" href="https://${DOMAIN}/"`);
      expect(text).toContain(`href="/our/status/${HOME_PAGE}/feed.rss"`);
      const below = await on('status.example', `/status/${other.slug}`);
      expect(below.text).toContain(`<link rel="canonical" href="https://other.acme.example/"`);
      expect(below.text).toContain(`href="/our/status/${other.slug}/feed.rss"`);
    }
    expect((await on('other.acme.example', '/no-such-part')).text).not.toContain('/our');
    const moved = await on(DOMAIN, '/FEED.RSS');
    expect([moved.status, moved.headers['location']]).toEqual([308, '/feed.rss']);
    expect(home.slug).toBe(HOME_PAGE);
  });

  it('never serves a page on the host of PUBLIC_URL, where the API is', async () => {
    const { id } = await domains.page(tenant, 'other2.acme.example');
    await server.sql('UPDATE status_pages SET custom_domain = $2 WHERE id = $1', [id, 'status.example']);
    await domains.verify(id);
    for (const host of ['status.example', 'STATUS.example:443']) {
      expect((await on(host, '/health/live')).status).toBe(200);
      expect((await on(host, '/')).text).toContain('Home');
    }
    await server.sql('UPDATE status_pages SET custom_domain = NULL WHERE id = $1', [id]);
    await domains.refresh();
  });

  it('keeps the ID of the feed on a domain', async () => {
    const { text } = await on(DOMAIN, '/feed.atom');
    expect(text).toMatch(/<feed[^>]*>\s*<id>urn:uuid:[0-9a-f-]{36}<\/id>/);
    expect(text).toContain(`rel="alternate" type="text/html" href="https://${DOMAIN}/"`);
    expect(text).toContain(`href="https://${DOMAIN}/feed.atom"`);
  });
});
