import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OF_NETWORK } from '../../src/visitors/password/password-entry.js';
import { HostileIssuer } from '../access/oidc/hostile-issuer.js';
import { CLIENT } from '../access/oidc/provider.js';
import { useEntry } from '../access/use-entry.js';
import { AXE, violationsOf } from './axe.js';
import { cutOff } from './cut-off.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Directory for pictures of all pages; default: none. */
const PICTURES = process.env['PICTURES'];

const { server, page: create, linkTo } = useEntry({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
let browser: Browser;
let issuer: HostileIssuer;
let slug: string;
let single: string;
let count = 0;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
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
const PAGES: Record<string, (options: BrowserContextOptions) => Promise<Page>> = {
  gate: (options) => open(`/status/${slug}`, options),
  'gate with one way in': (options) => open(`/status/${single}`, options),
  'gate with an error': async (options) => {
    const tab = await open(`/status/${slug}`, options);
    await tab.getByRole('button', { name: 'Send the link' }).click();
    return tab;
  },
  'gate after too many attempts': async (options) => {
    const extraHTTPHeaders = { 'x-forwarded-for': '192.0.2.1' };
    const body = new URLSearchParams({ password: 'wrong' });
    for (let sent = 0; sent < MAX_OF_NETWORK; sent++)
      await fetch(`${server.url}/status/${slug}/access/password`, {
        method: 'POST',
        headers: extraHTTPHeaders,
        body,
      });
    const tab = await open(`/status/${slug}`, { ...options, extraHTTPHeaders });
    await tab.getByLabel('Password').fill('correct horse');
    await tab.getByRole('button', { name: 'View the status page' }).click();
    await tab.getByRole('alert').waitFor();
    return tab;
  },
  sent: async (options) => {
    const tab = await open(`/status/${slug}`, options);
    await mailFor(tab);
    return tab;
  },
  link: async (options) => {
    const tab = await open(`/status/${slug}`, options);
    await tab.goto(await linkTo(await mailFor(tab)));
    return tab;
  },
  invalid: (options) => open(`/status/${slug}/access/email/ae_x?lang=de`, options),
  expired: (options) => open(`/status/${slug}/access/oidc/callback?state=a`, options),
  denied: async (options) => {
    issuer.claims = { email: 'eve@other.com' };
    const tab = await open(`/status/${slug}`, options);
    await tab.getByRole('button', { name: 'Continue with single sign-on' }).click();
    await tab.waitForURL('**/callback*');
    issuer.claims = {};
    return tab;
  },
};

describe.each(Object.keys(PAGES))('the page "%s"', (name) => {
  it('passes the axe rules for WCAG 2.2 AA, cuts nothing off, and shows a card in the middle, in all colors and widths', async () => {
    const found: Record<string, string[]> = {};
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        const shown = await PAGES[name]?.({ viewport: { width, height: 900 }, colorScheme });
        if (!shown) throw new Error(`no page "${name}"`);
        const html = await shown.content();
        const card = await shown.locator('main > .panel').boundingBox();
        const middle = (card?.x ?? 0) + (card?.width ?? 0) / 2;
        expect([Math.abs(middle - width / 2) <= 1, (card?.width ?? 0) <= 448]).toEqual([true, true]);
        // A way on or back, or whom to ask.
        expect(await shown.locator('.panel :is(.end, a, button)').count()).toBeGreaterThan(0);
        if (PICTURES !== undefined)
          await shown.screenshot({
            path: join(PICTURES, `${name}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
        // The same document with a script engine, for axe.
        const checked = await (
          await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
        ).newPage();
        await checked.setContent(html);
        await checked.evaluate(AXE);
        const problems = [...(await violationsOf(checked)), ...(await cutOff(checked))];
        if (problems.length > 0) found[`${width} px, ${colorScheme}`] = problems;
      }
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
