import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { type Tenant, TestServer } from '../support/server.js';
import { findingsInEachView } from './axe.js';
import { launchChromium } from './launch.js';

/** Directory for pictures of all pages; default: none. */
const PICTURES = process.env['PICTURES'];

let server: TestServer;
let browser: Browser;
let tenant: Tenant;
let monitors: string[];
let page: { id: string; slug: string };

beforeAll(async () => {
  const MAIL_DIR = mkdtempSync(join(tmpdir(), 'mails-'));
  server = await TestServer.start({ MAIL_DIR });
  browser = await launchChromium();
  tenant = await server.tenant();
  monitors = await server.monitors(tenant, 7);
  const sections = [
    { id: 'core', title: 'Core services', monitor_ids: monitors.slice(0, 4) },
    { id: 'other', title: 'Other services', monitor_ids: monitors.slice(4) },
  ];
  page = await server.page(tenant, { name: 'Acme Cloud', slug: 'acme', sections, subscribe_enabled: true });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Opens a path below `/status/`, without JavaScript, which these pages do not need. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: `${server.url}/status/`,
    javaScriptEnabled: false,
    ...options,
  });
  const tab = await context.newPage();
  await tab.goto(path);
  return tab;
}

/** Creates a subscription. Returns its ID, and the links in its mail. */
async function subscriber(status: string) {
  const id = randomUUID();
  await server.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
     VALUES ($1, $2, $3, $4, $5, $5, $6, 'visitor')`,
    [id, tenant.organization_id, tenant.project_id, page.id, `${id}@example.com`, status],
  );
  const tokens = server.app.get(SubscriptionTokens, { strict: false });
  const manage = tokens.create('manage', id);
  return {
    id,
    confirm: `acme/confirm/${tokens.create('confirm', id)}`,
    subscription: `acme/subscription/${manage}`,
    unsubscribe: `acme/unsubscribe/${manage}`,
  };
}

const headline = (tab: Page) => tab.locator('h1').textContent();

/** Ways to reach each page of a subscription. */
const PAGES: Record<string, () => Promise<Page>> = {
  form: () => open('acme/subscribe'),
  'form with systems': async () => {
    const tab = await open('acme/subscribe');
    await tab.getByLabel('Only these systems').check();
    await tab.getByLabel('Monitor 2').check();
    return tab;
  },
  'wrong form': async () => {
    const tab = await open('acme/subscribe');
    await tab.getByLabel('Email address').fill('visitor@');
    await tab.getByLabel('Only these systems').check();
    await tab.locator('button').click();
    return tab;
  },
  sent: async () => {
    const tab = await open('acme/subscribe');
    await tab.getByLabel('Email address').fill('visitor@example.com');
    await tab.locator('button').click();
    return tab;
  },
  confirm: async () => open((await subscriber('pending')).confirm),
  confirmed: async () => open((await subscriber('active')).confirm),
  subscription: async () => open((await subscriber('active')).subscription),
  saved: async () => {
    const tab = await open((await subscriber('active')).subscription);
    await tab.locator('button').first().click();
    return tab;
  },
  unsubscribe: async () => open((await subscriber('active')).unsubscribe),
  invalid: () => open('acme/confirm/st_'),
};

describe.each(Object.keys(PAGES))('the page "%s"', (name) => {
  it('passes the axe rules for WCAG 2.2 AA, and cuts nothing off, in all colors and widths', async () => {
    const shown = await PAGES[name]?.();
    if (!shown) throw new Error(`no page "${name}"`);
    const found = await findingsInEachView(
      browser,
      await shown.content(),
      [360, 1440],
      async (view, { width, colorScheme }) => {
        if (PICTURES !== undefined)
          await view.screenshot({
            path: join(PICTURES, `${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
      },
    );
    expect(found).toEqual({});
  });
});

describe('a visitor without JavaScript', () => {
  it('subscribes to some systems', async () => {
    const tab = await open('acme');
    await tab.getByRole('link', { name: 'Subscribe' }).click();
    expect(await headline(tab)).toBe('Subscribe to updates');
    const list = tab.getByLabel('Monitor 3');
    expect(await list.isVisible()).toBe(false);
    await tab.getByLabel('Only these systems').check();
    await list.check();
    await tab.getByLabel('Only the first and the last update').check();
    await tab.getByLabel('Email address').fill('some@example.com');
    await tab.locator('button').click();
    expect(await headline(tab)).toBe('Check your inbox');
    expect(
      await server.sql('SELECT monitor_ids, detail FROM subscription_requests WHERE email = $1', [
        'some@example.com',
      ]),
    ).toEqual([{ monitor_ids: [monitors[2]], detail: 'edges' }]);
  });

  it('confirms, changes and ends a subscription', async () => {
    const links = await subscriber('pending');
    const tab = await open(links.confirm);
    await tab.getByRole('button', { name: 'Confirm the subscription' }).click();
    expect(await headline(tab)).toBe('You are subscribed');
    await tab.getByRole('link', { name: 'Change or end the subscription' }).click();
    await tab.getByLabel('Also send email about planned maintenance').uncheck();
    await tab.getByRole('button', { name: 'Save changes' }).click();
    expect(await tab.getByRole('status').textContent()).toBe('Your changes are saved.');
    expect(
      await server.sql('SELECT status, maintenances FROM subscribers WHERE id = $1', [links.id]),
    ).toEqual([{ status: 'active', maintenances: false }]);
    await tab.getByRole('button', { name: 'Unsubscribe' }).click();
    expect(await headline(tab)).toBe('You are unsubscribed');
    expect(await server.sql('SELECT FROM subscribers WHERE id = $1', [links.id])).toEqual([]);
  });
});

describe('the keyboard', () => {
  it('fills in and sends the form', async () => {
    const tab = await open('acme/subscribe');
    await tab.getByLabel('Email address').focus();
    await tab.keyboard.type('keyboard@example.com');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('ArrowDown'); // only these systems
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Space');
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'Check your inbox' }).waitFor({ timeout: 10_000 });
    expect(
      await server.sql('SELECT monitor_ids, detail FROM subscription_requests WHERE email = $1', [
        'keyboard@example.com',
      ]),
    ).toEqual([{ monitor_ids: [monitors[0]], detail: 'all' }]);
  });

  it('begins at the errors of a wrong form, which lead to their fields', async () => {
    const tab = await open('acme/subscribe', { javaScriptEnabled: true });
    await tab.getByLabel('Email address').focus();
    await tab.keyboard.press('Enter');
    await tab.locator('[role=alert]').waitFor();
    expect(await tab.locator('[role=alert]:focus').count()).toBe(1);
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await tab.waitForURL((url) => url.hash === '#email');
    await tab.locator('#email:focus').waitFor();
  });
});
