import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PublicUrl } from '../../src/platform/config/public-url.js';
import { AXE, violationsOf } from '../browser/axe.js';
import { launchChromium } from '../browser/launch.js';
import { type Tenant, TestServer } from '../support/server.js';
import { useConsole } from './use-console.js';

const PASSWORD = 'a good long password';

const server = new TestServer();
const { person } = useConsole(server);
let browser: Browser;
let tenant: Tenant;
let baseURL: string;

beforeAll(async () => {
  await server.start({});
  baseURL = server.app.get(PublicUrl, { strict: false }).value; // localhost, because passkeys need a secure context
  browser = await launchChromium();
  tenant = await server.tenant();
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** Opens a phone with a device for passkeys. `isVerified`: whether it recognizes the member's finger. */
async function phone(isVerified = true, viewport = { width: 390, height: 844 }) {
  const context = await browser.newContext({ baseURL, viewport });
  const tab = await context.newPage();
  const cdp: CDPSession = await context.newCDPSession(tab);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { tab, cdp, authenticatorId };
}

/** Opens the member's own screen as a new member. */
async function openAccount(tab: Page): Promise<void> {
  const { cookie } = await person(tenant);
  const [name = '', value = ''] = cookie.split('=');
  await tab.context().addCookies([{ name, value, url: baseURL }]);
  await tab.goto('/manage/account');
}

const press = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).click();

/** Returns what is wrong with a screen: findings of axe, and content that is too wide. */
async function faultsOf(tab: Page): Promise<string[]> {
  const copy = await (
    await browser.newContext({
      baseURL,
      viewport: tab.viewportSize(),
      bypassCSP: true,
      javaScriptEnabled: true,
    })
  ).newPage();
  await copy.goto('/manage/sign-in');
  await copy.setContent(await tab.content(), { waitUntil: 'networkidle' });
  await copy.evaluate(AXE);
  const excess = await copy.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const found = await violationsOf(copy);
  await copy.context().close();
  return [...found, ...(excess > 0 ? [`${excess} px too wide`] : [])];
}

describe('a passkey in Chromium', () => {
  it('signs in without an address after it was added', async () => {
    const { tab, cdp, authenticatorId } = await phone();
    await openAccount(tab);
    expect(await tab.getByText('allow JavaScript').count()).toBe(0);
    expect(await faultsOf(tab)).toEqual([]);
    await press(tab, 'Add a passkey');
    await tab.getByText('Your passkey works now.').waitFor();
    expect(await tab.getByText('Not used yet').count()).toBe(1);
    expect(await faultsOf(tab)).toEqual([]);
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId])).toEqual([
      [true, 'localhost'],
    ]);

    await press(tab, 'Add a passkey');
    await tab.getByRole('alert').getByText('You have added the passkey of this device before.').waitFor();
    expect(await faultsOf(tab)).toEqual([]);

    await tab.context().clearCookies();
    await tab.goto('/manage/account');
    expect(await tab.locator('h1').textContent()).toBe('Sign in');
    expect(await faultsOf(tab)).toEqual([]);
    await press(tab, 'Sign in with a passkey');
    await tab.getByText('Last use now', { exact: false }).first().waitFor();
    expect(new URL(tab.url()).pathname).toBe('/manage/account');

    await press(tab, 'Remove the passkey of Chrome on Linux');
    expect(await tab.locator('h1').textContent()).toBe('Remove the passkey of Chrome on Linux?');
    await press(tab, 'Remove');
    await tab.getByText('The passkey is removed.').waitFor();
    await tab.context().clearCookies();
    await tab.goto('/manage/sign-in');
    await press(tab, 'Sign in with a passkey');
    await tab.getByText('This passkey did not sign you in.').waitFor();
  });

  it('asks for the present password before it is added', async () => {
    const { tab } = await phone();
    await openAccount(tab);
    await tab.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await press(tab, 'Set password');
    const field = tab.getByLabel('Current password, to add a passkey', { exact: true });
    await field.fill('a wrong password');
    await press(tab, 'Add a passkey');
    await tab.getByRole('alert').getByText('The current password is wrong.').waitFor();
    expect(await faultsOf(tab)).toEqual([]);
    await field.fill(PASSWORD);
    await press(tab, 'Add a passkey');
    await tab.getByText('Your passkey works now.').waitFor();
  });

  it('fails if the device does not recognize the member', async () => {
    const { tab } = await phone(false);
    await openAccount(tab);
    await press(tab, 'Add a passkey');
    await tab.getByRole('alert').getByText('Your device has not confirmed it. Try again.').waitFor();
    expect(await tab.getByRole('button', { name: 'Add a passkey' }).isEnabled()).toBe(true);
  });

  it.each(['without a script', 'without passkeys'])('hides its buttons in a browser %s', async (which) => {
    const context = await browser.newContext({ baseURL, javaScriptEnabled: which !== 'without a script' });
    await context.addInitScript('delete window.PublicKeyCredential');
    const tab = await context.newPage();
    await tab.goto('/manage/sign-in');
    expect(await tab.getByText('Sign in with a passkey').isVisible()).toBe(false);
    await openAccount(tab);
    expect(await tab.getByText('Add a passkey').isVisible()).toBe(false);
    expect(await tab.getByText('allow JavaScript').isVisible()).toBe(true);
  });
});
