import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MemberLinks } from '../../src/members/member-links.js';
import { AXE, violationsOf } from '../browser/axe.js';
import { launchChromium } from '../browser/launch.js';
import { type Tenant, TestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

/** A phone. Also tests that targets are at least as high as a finger. */
const PHONE = { width: 390, height: 844 };
const FINGER = 44;
const MAX_TAPS = 4;

const server = new TestServer();
const { member, person } = useConsole(server);
let browser: Browser;
let tenant: Tenant;

beforeAll(async () => {
  await server.start({ MAIL_DIR: mkdtempSync(join(tmpdir(), 'mails-')) });
  browser = await launchChromium();
  tenant = await server.tenant();
  const monitors = await server.monitors(tenant, 5);
  const sections = [{ id: 'core', title: 'Core', monitor_ids: monitors }];
  await server.page(tenant, { name: 'Acme', slug: 'acme-night', sections, subscribe_enabled: true });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Opens a phone without a script. */
async function phone(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: PHONE,
    javaScriptEnabled: false,
  });
  return context.newPage();
}

/** Opens the first screen as a new member. */
async function signedIn(): Promise<Page> {
  const { cookie } = await person(tenant, 'responder');
  const tab = await phone();
  const [name = '', value = ''] = cookie.split('=');
  await tab.context().addCookies([{ name, value, url: server.url }]);
  await tab.goto('/manage');
  return tab;
}

const tap = (tab: Page, name: string) =>
  tab
    .getByRole('button', { name, exact: true })
    .or(tab.getByRole('link', { name, exact: true }))
    .first()
    .click();
const write = (tab: Page, label: string, text: string) => tab.getByLabel(label, { exact: true }).fill(text);
const choose = (tab: Page, group: string, grade: string) =>
  tab
    .getByRole('group', { name: new RegExp(`^${group}(?: now: |$)`) }) // the name of a monitor's group ends with its present status
    .getByRole('radio', { name: grade, exact: true })
    .check();

/** Returns what is wrong with a screen: findings of axe, targets that are too low, and content that is too wide. */
async function faultsOf(tab: Page): Promise<string[]> {
  // axe needs timers, which a browser without scripts does not have.
  const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, bypassCSP: true });
  const copy = await context.newPage();
  await copy.goto('/manage/sign-in');
  await copy.setContent(await tab.content(), { waitUntil: 'load' });
  await copy.evaluate(AXE);
  const low: string[] = await copy.evaluate(
    `[...document.querySelectorAll('a, button, input:not([type=hidden]), textarea, summary')]
       .map((one) => one.closest('.chip, .check') ?? one)
       .filter((one) => !one.matches('.unseen, .skip') && !one.closest('p, .prose'))
       .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width > 1 && height < ${FINGER}; })
       .map((one) => 'too low: ' + one.outerHTML.slice(0, 150))`,
  );
  const excess = await copy.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const found = await violationsOf(copy);
  await context.close();
  return [...found, ...low, ...(excess > 0 ? [`${excess} px too wide`] : [])];
}

describe('the night at 390 px, without a script', () => {
  it('goes from the link in the mail to the postmortem', async () => {
    const tab = await phone();
    const token = await server.app
      .get(MemberLinks, { strict: false })
      .create(await member(tenant, 'responder'));
    await tab.goto(`/manage/sign-in/${token}`);
    expect(await faultsOf(tab)).toEqual([]);
    await tap(tab, 'Sign in');
    expect(await tab.locator('h1').textContent()).toBe('No open incident');
    expect(await faultsOf(tab)).toEqual([]);

    let taps = 0;
    const count = (tapped: Promise<void>) => {
      taps += 1;
      return tapped;
    };
    await count(tap(tab, 'Report an incident'));
    expect(await faultsOf(tab)).toEqual([]);
    await count(choose(tab, 'Monitor 2', 'Major outage'));
    await write(tab, 'Title', 'Payments fail');
    await write(tab, 'Text', 'Card payments fail. **Transfers work.**');
    await count(tap(tab, 'Review'));
    expect(await tab.locator('h1').textContent()).toBe('Review');
    expect(await faultsOf(tab)).toEqual([]);
    await count(tap(tab, 'Publish'));
    expect(taps).toBeLessThanOrEqual(MAX_TAPS);
    expect(await tab.locator('h1').textContent()).toBe('Payments fail');
    expect(await faultsOf(tab)).toEqual([]);

    const visitor = await phone();
    await visitor.goto('/status/acme-night');
    await expect
      .poll(async () => {
        await visitor.reload();
        return visitor.textContent('main');
      })
      .toContain('Payments fail');

    await write(tab, 'Text', 'The provider has an outage.');
    await choose(tab, 'Status', 'Identified');
    await tap(tab, 'Review');
    await tap(tab, 'Publish');
    await choose(tab, 'Status', 'Resolved');
    await tap(tab, 'Review');
    await tap(tab, 'Publish');
    expect(await tab.textContent('main')).toContain('This incident is resolved.');
    await tap(tab, 'Postmortem');
    expect(await faultsOf(tab)).toEqual([]);
    await write(tab, 'Postmortem', 'Their certificate had expired.');
    await tap(tab, 'Review');
    await tap(tab, 'Publish');
    expect(await tab.textContent('main')).toContain('Their certificate had expired.');
    await tap(tab, 'Now');
    expect(await tab.locator('h1').textContent()).toBe('No open incident');
  });

  it('loses no text of two people who write at the same time', async () => {
    const [pat, sam] = [await signedIn(), await signedIn()];
    await tap(pat, 'Report an incident');
    await choose(pat, 'Monitor 1', 'Partial outage');
    await write(pat, 'Title', 'Slow pages');
    await tap(pat, 'Review');
    await tap(pat, 'Publish');
    await sam.goto(pat.url());
    await write(pat, 'Text', 'Text of Pat');
    await write(sam, 'Text', 'Text of Sam');
    await tap(sam, 'Review');
    await tap(sam, 'Publish');
    await tap(pat, 'Review');
    expect(await pat.getByRole('alert').textContent()).toContain('Text of Sam');
    expect(await pat.getByLabel('Text', { exact: true }).inputValue()).toBe('Text of Pat');
    expect(await faultsOf(pat)).toEqual([]);
    await tap(pat, 'Review');
    await tap(pat, 'Publish');
    for (const text of ['Text of Pat', 'Text of Sam']) expect(await pat.textContent('main')).toContain(text);
  });

  it('keeps what was written if the session ends, and continues after the sign-in', async () => {
    const tab = await signedIn();
    await tap(tab, 'Report an incident');
    await write(tab, 'Title', 'Written before');
    await server.sql('DELETE FROM member_sessions');
    await tap(tab, 'Review');
    expect(await tab.textContent('main')).toContain('what you wrote is kept');
    expect(await faultsOf(tab)).toEqual([]);
    const { email } = await member(tenant, 'responder');
    await write(tab, 'Email address', email);
    await tap(tab, 'Send me a link');
    const token = await server.app
      .get(MemberLinks, { strict: false })
      .create(await member(tenant, 'responder'));
    const mail = await tab.context().newPage();
    await mail.goto(`/manage/sign-in/${token}`);
    await tap(mail, 'Sign in');
    await tap(tab, 'Continue');
    expect(await tab.textContent('main')).toContain('Written before');
    await tap(tab, 'Continue');
    expect(await tab.locator('h1').textContent()).toBe('Review');
    expect(await tab.textContent('main')).toContain('Written before');
  });

  it('schedules maintenance, and ends it early', async () => {
    const tab = await signedIn();
    await tap(tab, 'Schedule maintenance');
    expect(await faultsOf(tab)).toEqual([]);
    await write(tab, 'Title', 'Database upgrade');
    await tab.getByLabel('Monitor 3', { exact: true }).check();
    await tap(tab, 'Review');
    expect(await faultsOf(tab)).toEqual([]);
    await tap(tab, 'Publish');
    expect(await faultsOf(tab)).toEqual([]);
    for (const action of ['Start now', 'Extend by 30 minutes', 'End now']) {
      await tap(tab, action);
      await tap(tab, action);
    }
    expect(await tab.textContent('main')).toContain('Completed');
  });
});
