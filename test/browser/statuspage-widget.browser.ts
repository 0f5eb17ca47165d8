import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { domainsOf } from '../domains/use-domains.js';
import { Author, FINE } from '../public-page/html-examples.js';
import { useSite } from './use-site.js';

const WIDGET = createRequire(import.meta.url).resolve('@statuspage/status-widget/dist/index.js');

const site = useSite();

/** Creates a page with the status on a domain. Returns the URL of the domain, which leads to the server. */
async function urlWith(status: string): Promise<string> {
  const { server, tenant } = site;
  const host = `status-${randomUUID()}.example.com`;
  const monitor = await new Author(server, tenant).monitor('API', [...FINE, [status, 9]]);
  const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
  await domainsOf(server).page(tenant, host, { sections });
  return server.url.replace('127.0.0.1', host);
}

describe("Atlassian's status-widget in a page of another origin", () => {
  it.each([
    ['operational', 'none', 'All Systems Operational'],
    ['degraded_performance', 'minor', 'Partially Degraded Service'],
    ['major_outage', 'critical', 'Major System Outage'],
  ])('shows the status of a page that is %s', async (status, indicator, description) => {
    const src = await urlWith(status);
    const { page, faults } = await site.open();
    // The file of the widget assigns this variable without declaring it.
    await page.setContent(
      `<script>var parcelRequire</script><statuspage-widget src="${src}"></statuspage-widget>`,
    );
    await page.addScriptTag({ path: WIDGET });
    const widget = page.locator('statuspage-widget');
    await widget.locator('.status-text').waitFor();
    expect(await widget.locator('.status-text').textContent()).toBe(description);
    expect(await widget.locator('.status-indicator').getAttribute('class')).toContain(indicator);
    expect(await widget.locator('a').getAttribute('href')).toBe(src);
    expect(faults).toEqual([]);
  });
});
