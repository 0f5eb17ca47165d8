import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../../support/server.js';
import { faultsOf } from '../html-faults.js';

const server = useTestServer();
const tenant = useTenant(server);

describe('a page of a server without mail', () => {
  it('offers only its feeds, and takes no form', async () => {
    const { slug } = await server.page(tenant, { subscribe_enabled: true });
    const path = `${server.url}/status/${slug}`;
    const html = await (await fetch(`${path}/subscribe`)).text();
    expect(faultsOf(html)).toEqual([]);
    expect(html).not.toContain('<form');
    expect(html).toContain(`href="/status/${slug}/feed.atom"`);
    expect(await (await fetch(path)).text()).toContain(`href="/status/${slug}/subscribe"`);
    const body = new URLSearchParams({ email: 'a@example.com', detail: 'all' });
    expect((await fetch(`${path}/subscribe`, { method: 'POST', body })).status).toBe(404);
    expect(await server.sql('SELECT FROM subscription_requests')).toEqual([]);
  });

  it('offers no subscriptions if it has no feeds either', async () => {
    const { slug } = await server.page(tenant, { subscribe_enabled: true, rss_enabled: false });
    expect((await fetch(`${server.url}/status/${slug}/subscribe`)).status).toBe(404);
    const html = await (await fetch(`${server.url}/status/${slug}`)).text();
    expect(html).not.toContain('subscribe"');
  });
});
