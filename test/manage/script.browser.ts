import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/members/roles.js';
import { AXE, violationsOf } from '../browser/axe.js';
import { launchChromium } from '../browser/launch.js';
import { type Tenant, TestServer } from '../support/server.js';
import { type Person, useConsole } from './use-console.js';

const PHONE = { width: 390, height: 844 };

const server = new TestServer();
const { person } = useConsole(server);
let browser: Browser;
let tenant: Tenant;

beforeAll(async () => {
  await server.start({});
  browser = await launchChromium();
  tenant = await server.tenant();
  await server.monitors(tenant, 3);
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Gives a browser the session of a member. */
async function enter(tab: Page, { cookie }: Pick<Person, 'cookie'>): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await tab.context().addCookies([{ name, value, url: server.url }]);
}

/** Opens a path as a new member on a phone. Its console must not have an error. */
async function open(
  path: string,
  { role = 'editor', ...options }: BrowserContextOptions & { role?: Role } = {},
) {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: PHONE,
    hasTouch: true,
    ...options,
  });
  const tab = await context.newPage();
  const errors: string[] = [];
  tab.on('pageerror', ({ message }) => errors.push(message));
  tab.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await enter(tab, await person(tenant, role));
  await tab.goto(path);
  return { tab, errors };
}

/** Returns what is wrong with a screen: findings of axe, and content that is too wide. */
async function faultsOf(tab: Page): Promise<string[]> {
  // A copy, because the Content-Security-Policy does not allow axe.
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: tab.viewportSize(),
    bypassCSP: true,
  });
  const copy = await context.newPage();
  await copy.goto('/manage/sign-in');
  await copy.setContent(await tab.content(), { waitUntil: 'networkidle' });
  await copy.evaluate(AXE);
  const excess = await copy.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const found = await violationsOf(copy);
  await context.close();
  return [...found, ...(excess > 0 ? [`${excess} px too wide`] : [])];
}

const field = (tab: Page, label: string) => tab.getByLabel(label, { exact: true });
const press = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).click();

const newIncident = () => `/manage/incidents/new?project=${tenant.project_id}`;

describe('a text that is typed', () => {
  it('appears below its field as visitors will see it', async () => {
    const { tab, errors } = await open(newIncident());
    const preview = tab.locator('.preview');
    expect(await preview.isVisible()).toBe(false);
    await field(tab, 'Text').fill('Payments **fail**. See [news](https://example.com).\n\n# Why\n\n<b>x</b>');
    await preview.locator('strong').waitFor();
    expect(await preview.innerText()).toContain('As visitors see it');
    expect(await preview.locator('h3').innerText()).toBe('Why');
    expect(await preview.locator('a').getAttribute('target')).toBe('_blank');
    expect(await preview.locator('b').count()).toBe(0);
    expect(await faultsOf(tab)).toEqual([]);
    await field(tab, 'Text').fill(' ');
    await preview.waitFor({ state: 'hidden' });
    expect(errors).toEqual([]);
  });

  it('appears from the beginning if a field is filled', async () => {
    const { tab } = await open('/manage');
    const json = { project_id: tenant.project_id, title: 'Over' };
    const { body } = await server.ask('/v1/incidents', { method: 'POST', key: tenant.key, json });
    const { id } = body.data;
    const patch = { method: 'PATCH', key: tenant.key, json: { postmortem: '# Cause' } };
    await server.ask(`/v1/incidents/${id}`, patch);
    await tab.goto(`/manage/incidents/${id}/postmortem`);
    await tab.locator('.preview h3').waitFor();
    expect(await faultsOf(tab)).toEqual([]);
  });

  it('sends one request for a pause, and shows the newest text if an older one takes longer', async () => {
    const { tab } = await open(newIncident());
    const sent: string[] = [];
    const second = tab.locator('.preview .picture', { hasText: 'second' });
    let hasEnded = false;
    await tab.route('**/manage/preview', async (route) => {
      const text = new URLSearchParams(route.request().postData() ?? '').get('text') ?? '';
      sent.push(text);
      if (text !== 'first') return route.fallback();
      await field(tab, 'Text').fill('second');
      await second.waitFor();
      await route.fulfill({ body: 'first', contentType: 'text/html' }).catch(() => undefined); // is aborted
      hasEnded = true;
    });
    await field(tab, 'Text').pressSequentially('first');
    await expect.poll(() => hasEnded, { timeout: 30_000 }).toBe(true);
    await tab.evaluate("fetch('/manage')"); // a response that arrives after the first one
    expect(await second.innerText()).toBe('second');
    expect(sent).toEqual(['first', 'second']);
  });

  it('hides a preview that is out of date if the server does not respond with one', async () => {
    const { tab } = await open(newIncident());
    await field(tab, 'Text').fill('first');
    await tab.locator('.preview', { hasText: 'first' }).waitFor();
    await tab.route('**/manage/preview', (route) => route.fulfill({ status: 429, body: '' }));
    await field(tab, 'Text').fill('second');
    await tab.locator('.preview').waitFor({ state: 'hidden' });
    expect(await field(tab, 'Text').inputValue()).toBe('second');
  });

  it('publishes by the same form without a script, which shows no preview', async () => {
    const { tab } = await open(newIncident(), { javaScriptEnabled: false });
    await field(tab, 'Title').fill('Without a script');
    await field(tab, 'Text').fill('**Down**');
    expect(await tab.locator('.preview').isVisible()).toBe(false);
    await press(tab, 'Review');
    await press(tab, 'Publish');
    expect(await tab.locator('main .prose strong').innerText()).toBe('Down');
  });
});

describe('a form that is not sent', () => {
  const title = 'Payments fail';
  const notice = (tab: Page) => tab.locator('[data-draft]');
  const major = (tab: Page) =>
    tab.getByRole('group', { name: /^Monitor 2/ }).getByRole('radio', { name: 'Major outage' });
  const kept = (tab: Page) => tab.evaluate<string>('JSON.stringify(sessionStorage)');

  /** Fills the form of a new incident. */
  async function write(tab: Page) {
    await field(tab, 'Title').fill(title);
    await field(tab, 'Text').fill('**Since noon**');
    await major(tab).check();
    await field(tab, 'Tell subscribers and webhooks').uncheck();
  }

  it('comes back after a reload, and is discarded by a button', async () => {
    const { tab, errors } = await open(newIncident());
    await write(tab);
    await tab.reload();
    expect(await notice(tab).innerText()).toContain('What you typed before is back.');
    expect(await field(tab, 'Title').inputValue()).toBe(title);
    expect(await major(tab).isChecked()).toBe(true);
    expect(await field(tab, 'Tell subscribers and webhooks').isChecked()).toBe(false);
    await tab.locator('.preview strong').waitFor();
    expect(await faultsOf(tab)).toEqual([]);
    expect(await kept(tab)).not.toContain(await tab.locator('form.form [name=token]').inputValue());
    await press(tab, 'Discard it');
    expect([await notice(tab).isVisible(), await field(tab, 'Title').inputValue()]).toEqual([false, '']);
    expect(await tab.evaluate('document.activeElement.id')).toBe('title');
    expect(await major(tab).isChecked()).toBe(false);
    await tab.reload();
    expect([await notice(tab).isVisible(), await field(tab, 'Title').inputValue()]).toEqual([false, '']);
    expect(errors).toEqual([]);
  });

  it('comes back until it is published', async () => {
    const { tab, errors } = await open(newIncident());
    await write(tab);
    await tab.goto('/manage');
    await tab.goto(newIncident());
    expect(await field(tab, 'Title').inputValue()).toBe(title);
    await press(tab, 'Review');
    await press(tab, 'Change');
    expect(await notice(tab).isVisible()).toBe(false); // the server has it
    await field(tab, 'Title').fill('');
    await press(tab, 'Review');
    expect(await tab.getByRole('alert').innerText()).toContain('Title needs your attention');
    await field(tab, 'Title').fill('Second title');
    await tab.goto(newIncident());
    expect(await field(tab, 'Title').inputValue()).toBe('Second title');
    await press(tab, 'Review');
    await press(tab, 'Publish');
    await tab.getByRole('heading', { name: 'Second title' }).waitFor();
    expect(await kept(tab)).toBe('{}');
    await tab.goto(newIncident());
    expect([await notice(tab).isVisible(), await field(tab, 'Title').inputValue()]).toEqual([false, '']);
    expect(errors.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('comes back if the service does not respond to it', async () => {
    const { tab } = await open(newIncident());
    await write(tab);
    await press(tab, 'Review');
    await tab.route('**/manage/incidents', (route) => route.abort());
    await press(tab, 'Publish');
    await tab.unroute('**/manage/incidents');
    await tab.goto(newIncident());
    expect(await field(tab, 'Title').inputValue()).toBe(title);
  });

  it('overwrites no change of another member when it comes back', async () => {
    const { tab } = await open('/manage');
    const json = { project_id: tenant.project_id, title: 'First' };
    const { body } = await server.ask('/v1/incidents', { method: 'POST', key: tenant.key, json });
    const path = `/manage/incidents/${body.data.id}/edit`;
    await tab.goto(path);
    await field(tab, 'Title').fill('By Pat');
    await server.ask(`/v1/incidents/${body.data.id}`, {
      method: 'PATCH',
      key: tenant.key,
      json: { title: 'By Sam' },
    });
    await tab.goto(path);
    expect(await field(tab, 'Title').inputValue()).toBe('By Pat');
    await press(tab, 'Review');
    expect(await tab.locator('.theirs').innerText()).toContain('By Sam');
  });

  it('appears to no other member, and ends with the sign-out in any tab', async () => {
    const { tab } = await open(newIncident());
    await write(tab);
    const cookies = await tab.context().cookies();
    await enter(tab, await person(tenant, 'editor'));
    await tab.reload();
    expect([await notice(tab).isVisible(), await field(tab, 'Title').inputValue()]).toEqual([false, '']);
    await tab.context().addCookies(cookies);
    await tab.goto(newIncident());
    expect(await field(tab, 'Title').inputValue()).toBe(title);

    const other = await tab.context().newPage();
    await other.goto('/manage');
    await other.locator('.account > summary').click();
    await press(other, 'Sign out');
    await expect.poll(() => kept(tab)).toBe('{}');
    expect(await kept(other)).toBe('{}');
  });
});

describe('the sections of a page', () => {
  const titles = ['One', 'Two', 'Three', 'Four'];

  /** Creates a page with sections. Returns the path of its screen. */
  async function page(): Promise<string> {
    const sections = titles.map((title) => ({ id: title.toLowerCase(), title, monitor_ids: [] }));
    const { id } = await server.page(tenant, { sections });
    return `/manage/pages/${id}/sections`;
  }
  const shown = (tab: Page) => tab.locator('form[data-sorted] .what').allInnerTexts();
  const saved = async (path: string) => {
    const { body } = await server.ask<{ data: { sections: { title: string }[] } }>(
      `/v1/status-pages/${path.split('/')[3]}`,
      { key: tenant.key },
    );
    return body.data.sections.map(({ title }) => title);
  };
  const focused = (tab: Page) => tab.evaluate<string>('document.activeElement.ariaLabel');
  const said = (tab: Page) => tab.locator('p[role=status].unseen').innerText();

  it('move in place by keys, which keep the focus', async () => {
    const path = await page();
    const { tab, errors } = await open(path);
    await tab.evaluate('window.isSame = true');
    const label = await tab.locator('[name=up][value=three]').getAttribute('aria-label');
    await tab.locator('[name=up][value=three]').focus();
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Enter');
    await expect.poll(() => said(tab)).toBe('Three is now number 1 of 4.');
    expect(await shown(tab)).toEqual(['Three', 'One', 'Two', 'Four']);
    expect(await saved(path)).toEqual(['Three', 'One', 'Two', 'Four']);
    // The button to move it up is disabled now.
    expect(await focused(tab)).toBe(await tab.locator('[name=down][value=three]').getAttribute('aria-label'));
    await tab.keyboard.press('Space');
    await expect.poll(() => said(tab)).toBe('Three is now number 2 of 4.');
    expect([await tab.evaluate('window.isSame'), await tab.locator('.handle').count()]).toEqual([true, 4]);
    await tab.locator('[name=up][value=three]').focus();
    expect(await focused(tab)).toBe(label);
    expect(await faultsOf(tab)).toEqual([]);
    await field(tab, 'Title').fill('Five');
    await press(tab, 'Add a section');
    expect(await saved(path)).toEqual(['One', 'Three', 'Two', 'Four', 'Five']);
    expect(errors).toEqual([]);
  });

  it.each(['a finger', 'a mouse'])('move by %s, as one change of the page', async (which) => {
    const path = await page();
    const { tab, errors } = await open(path);
    const requests: (string | null)[] = [];
    tab.on('request', (one) => {
      if (one.method() === 'POST') requests.push(one.postData());
    });
    const [from, to] = await Promise.all(
      [3, 1].map(async (row) => tab.locator('.handle').nth(row).boundingBox()),
    );
    if (!from || !to) throw new Error('there is no handle');
    const x = from.x + from.width / 2;
    const [start, end] = [from.y + from.height / 2, to.y + to.height / 2 - 10];
    const steps = [0.2, 0.6, 1].map((part) => start + (end - start) * part);
    if (which === 'a mouse') {
      await tab.mouse.move(x, start);
      await tab.mouse.down();
      for (const y of steps) await tab.mouse.move(x, y);
      await tab.mouse.up();
    } else {
      const cdp = await tab.context().newCDPSession(tab);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
        cdp.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x, y }] });
      await touch('touchStart', start);
      for (const y of steps) await touch('touchMove', y);
      await touch('touchEnd');
    }
    await expect.poll(() => said(tab)).toBe('Four is now number 2 of 4.');
    expect(await shown(tab)).toEqual(['One', 'Four', 'Two', 'Three']);
    expect(await saved(path)).toEqual(['One', 'Four', 'Two', 'Three']);
    expect([requests.length, new URLSearchParams(requests[0] ?? '').get('up')]).toEqual([1, 'four']);
    expect([await tab.evaluate('scrollY'), errors]).toEqual([0, []]);
    expect(await faultsOf(tab)).toEqual([]);
  });

  it('stay where they are if the Escape key ends the drag', async () => {
    const path = await page();
    const { tab } = await open(path);
    await tab.locator('.handle').nth(3).hover();
    await tab.mouse.down();
    await tab.mouse.move(300, 300);
    expect(await tab.locator('.dragged').count()).toBe(1);
    await tab.keyboard.press('Escape');
    await tab.mouse.up();
    expect([await tab.locator('.dragged').count(), await shown(tab)]).toEqual([0, titles]);
    expect(await saved(path)).toEqual(titles);
  });

  it("show another member's change instead of overwriting it", async () => {
    const path = await page();
    const { tab } = await open(path);
    const json = { name: 'Renamed' };
    await server.ask(`/v1/status-pages/${path.split('/')[3]}`, { method: 'PATCH', key: tenant.key, json });
    await tab.locator('[name=up][value=three]').press('Enter');
    await tab.getByRole('alert').getByText('has changed this').waitFor();
    expect(await saved(path)).toEqual(titles);
  });

  it('move by the same buttons without a script', async () => {
    const path = await page();
    const { tab } = await open(path, { javaScriptEnabled: false });
    expect(await tab.locator('.handle').count()).toBe(0);
    await tab.locator('[name=up][value=three]').click();
    expect(await shown(tab)).toEqual(['One', 'Three', 'Two', 'Four']);
  });

  it('order the monitors of a section in the same way', async () => {
    const monitor_ids = await server.monitors(tenant, 3);
    const { id } = await server.page(tenant, { sections: [{ id: 'core', title: 'Core', monitor_ids }] });
    const { tab, errors } = await open(`/manage/pages/${id}/sections/core`);
    await tab.locator('[name=down]').first().press('Enter');
    await expect.poll(() => said(tab)).toContain('is now number 2 of 3.');
    expect(await faultsOf(tab)).toEqual([]);
    await tab.locator('[name=remove]').first().click();
    await expect.poll(() => tab.locator('[name=remove]').count()).toBe(2);
    expect(errors).toEqual([]);
  });
});

describe('the accent color', () => {
  it('follows the color picker, which follows the text, with the contrast', async () => {
    const { id } = await server.page(tenant, { accent_color: '#0f766e' });
    const { tab, errors } = await open(`/manage/pages/${id}/branding`);
    const [text, picker] = [field(tab, 'Accent color'), field(tab, 'Choose the accent color')];
    expect(await picker.inputValue()).toBe('#0f766e');
    expect(await faultsOf(tab)).toEqual([]);
    const contrast = await tab.locator('.swatches').innerText();
    await text.fill('AABBCC');
    expect(await picker.inputValue()).toBe('#aabbcc');
    await expect.poll(() => tab.locator('.swatches').innerText()).not.toBe(contrast);
    await text.fill('#12');
    await tab.locator('.swatches').waitFor({ state: 'hidden' });
    await picker.fill('#102030');
    expect(await text.inputValue()).toBe('#102030');
    await tab.locator('.swatches').waitFor();
    await press(tab, 'Save color');
    expect(await text.inputValue()).toBe('#102030');
    expect(errors).toEqual([]);
  });

  it('needs no more than the text without a script', async () => {
    const { id } = await server.page(tenant, {});
    const { tab } = await open(`/manage/pages/${id}/branding`, { javaScriptEnabled: false });
    expect(await tab.locator('[type=color]').isVisible()).toBe(false);
    await field(tab, 'Accent color').fill('#102030');
    await press(tab, 'Save color');
    expect(await field(tab, 'Accent color').inputValue()).toBe('#102030');
  });
});
