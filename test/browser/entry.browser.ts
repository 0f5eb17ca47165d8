import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OF_NETWORK } from '../../src/visitors/password/password-entry.js';
import { HostileIssuer } from '../access/oidc/hostile-issuer.js';
import { CLIENT } from '../access/oidc/provider.js';
import { useEntry } from '../access/use-entry.js';
import { findingsInEachView } from './axe.js';
import { launchChromium } from './launch.js';

/** Directory for pictures of all pages; default: none. */
const PICTURES = process.env['PICTURES'];

const { server, page: create, linkTo } = useEntry({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
let browser: Browser;
let issuer: HostileIssuer;
let slug: string;
let single: string;
let count = 0;

beforeAll(async () => {
  browser = await launchChromium();
  issuer = await HostileIssuer.start();
  // The provider's page, which redirects immediately, as a provider does for a visitor who is signed in there.
  issuer.respond = (path, response) => {
    const [at] = path.split('?', 1);
    if (at !== '/authorize') return false;
    const { href } = new URL(path, issuer.issuer);
    const redirect = new URL(href).searchParams.get('redirect_uri') ?? '';
    // The visitor uses the address of the test server, not the public URL.
    const { pathname } = new URL(redirect);
    response.writeHead(302, { location: `${server.url}${pathname}${issuer.callback(href)}` }).end();
    return true;
  };
  const oidc = { issuer: issuer.issuer, ...CLIENT, email_domains: ['acme.com'] };
  const rules = { password: 'correct horse', email_domains: ['acme.com'], oidc };
  ({ slug } = await create(rules, { name: 'Inside Acme', slug: 'inside' }));
  ({ slug: single } = await create({ email_domains: ['acme.com'] }, { name: 'Inside Acme', slug: 'single' }));
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await issuer.stop();
});

/** Opens a path without JavaScript, which these pages do not need. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false, ...options });
  const tab = await context.newPage();
  await tab.goto(path);
  return tab;
}

const headline = (tab: Page) => tab.locator('h1').textContent();

async function mailFor(tab: Page): Promise<string> {
  const address = `visitor-${(count += 1)}@acme.com`;
  await tab.getByLabel('Email address').fill(address);
  await tab.getByRole('button', { name: 'Send the link' }).click();
  return address;
}

/** Ways to reach each page. */
const PAGES: Record<string, () => Promise<Page>> = {
  gate: () => open(`/status/${slug}`),
  'gate with one way in': () => open(`/status/${single}`),
  'gate with an error': async () => {
    const tab = await open(`/status/${slug}`);
    await tab.getByRole('button', { name: 'Send the link' }).click();
    return tab;
  },
  'gate after too many attempts': async () => {
    const extraHTTPHeaders = { 'x-forwarded-for': '192.0.2.1' };
    const body = new URLSearchParams({ password: 'wrong' });
    for (let sent = 0; sent < MAX_OF_NETWORK; sent++)
      await fetch(`${server.url}/status/${slug}/access/password`, {
        method: 'POST',
        headers: extraHTTPHeaders,
        body,
      });
    const tab = await open(`/status/${slug}`, { extraHTTPHeaders });
    await tab.getByLabel('Password').fill('correct horse');
    await tab.getByRole('button', { name: 'View the status page' }).click();
    await tab.getByRole('alert').waitFor();
    return tab;
  },
  sent: async () => {
    const tab = await open(`/status/${slug}`);
    await mailFor(tab);
    return tab;
  },
  link: async () => {
    const tab = await open(`/status/${slug}`);
    await tab.goto(await linkTo(await mailFor(tab)));
    return tab;
  },
  invalid: () => open(`/status/${slug}/access/email/ae_x?lang=de`),
  expired: () => open(`/status/${slug}/access/oidc/callback?state=a`),
  denied: async () => {
    issuer.claims = { email: 'eve@other.com' };
    const tab = await open(`/status/${slug}`);
    await tab.getByRole('button', { name: 'Continue with single sign-on' }).click();
    await tab.waitForURL('**/callback*');
    issuer.claims = {};
    return tab;
  },
};

describe.each(Object.keys(PAGES))('the page "%s"', (name) => {
  it('passes the axe rules for WCAG 2.2 AA, cuts nothing off, and shows a card in the middle, in all colors and widths', async () => {
    const shown = await PAGES[name]?.();
    if (!shown) throw new Error(`no page "${name}"`);
    // A way on or back, or whom to ask.
    expect(await shown.locator('.panel :is(.end, a, button)').count()).toBeGreaterThan(0);
    const found = await findingsInEachView(
      browser,
      await shown.content(),
      [360, 1280],
      async (view, { width, colorScheme }) => {
        const card = await view.locator('main > .panel').boundingBox();
        const middle = (card?.x ?? 0) + (card?.width ?? 0) / 2;
        expect([Math.abs(middle - width / 2) <= 1, (card?.width ?? 0) <= 448]).toEqual([true, true]);
        if (PICTURES !== undefined)
          await view.screenshot({
            path: join(PICTURES, `${name}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
      },
    );
    expect(found).toEqual({});
  });
});

describe('a visitor without JavaScript', () => {
  it('signs in at another site, and comes back to the wanted part', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const tab = await open(`/status/${slug}/history?month=${month}&lang=de`);
    await tab.locator('form[action*="/access/oidc"] button').click();
    await tab.waitForURL(`**/history?month=${month}&lang=de`);
    expect(await tab.locator('html').getAttribute('lang')).toBe('de');
    expect(await headline(tab)).not.toContain('privat');
  });

  it('opens the page by mail', async () => {
    const tab = await open(`/status/${slug}`);
    const address = await mailFor(tab);
    expect(await headline(tab)).toBe('Check your inbox');
    await tab.goto(await linkTo(address));
    expect(await tab.locator('.address').textContent()).toBe(address);
    await tab.getByRole('button', { name: 'Open the status page' }).click();
    expect(new URL(tab.url()).pathname).toBe(`/status/${slug}`);
    expect(await headline(tab)).not.toContain('private');
  });
});
