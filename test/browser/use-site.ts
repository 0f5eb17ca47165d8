import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import { DemoService } from '../../src/demo/demo.service.js';
import { actorIn } from '../support/actors.js';
import { createExamples, type Example } from '../public-page/html-examples.js';
import { type Tenant, TestServer } from '../support/server.js';
import { launchChromium } from './launch.js';

/** A server with status pages of all kinds, and a Chromium. */
interface Site {
  server: TestServer;
  tenant: Tenant;
  examples: Example[];
  browser: Browser;
}

/** A tab that shows a page, and the problems found in it. */
export interface Tab {
  page: Page;
  /** Console errors and warnings, script errors, CSP violations, dialogs and failed requests. */
  faults: string[];
  /** URLs of all requests. */
  requests: string[];
}

/** Browser shared by all test files of a worker, because starting takes seconds. It ends with the worker. */
let shared: Promise<Site> | undefined;

async function start(): Promise<Site> {
  const browser = await launchChromium([
    '--disable-quic',
    '--disable-background-networking',
    '--host-resolver-rules=MAP *.example.com 127.0.0.1',
  ]);
  const server = await TestServer.start();
  const tenant = await server.tenant();
  await server.app.get(DemoService).create(1, actorIn);
  const demo: Example = { name: 'the demo page', path: '/status/acme-cloud', status: 200 };
  const examples = [demo, ...(await createExamples(server, tenant))];
  return { server, tenant, examples, browser };
}

/**
 * Returns a server with status pages of all kinds, and Chromium:
 *
 *     const site = useSite();
 *     it('shows the headline', async () => {
 *       const { page } = await site.visit('/status/green');
 */
export function useSite() {
  let site: Site;
  beforeAll(async () => {
    shared ??= start();
    site = await shared;
  });
  afterEach(() => Promise.all(site.browser.contexts().map((context) => context.close())));

  /** Opens an empty tab in a separate profile with the time zone of New York. */
  async function open(options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await site.browser.newContext({
      baseURL: site.server.url,
      timezoneId: 'America/New_York',
      locale: 'en-US',
      ...options,
    });
    const page = await context.newPage();
    const tab: Tab = { page, faults: [], requests: [] };
    // Chromium logs CSP violations and blocked scripts as console errors.
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) tab.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => tab.faults.push(`error: ${error.message}`));
    page.on('request', (request) => tab.requests.push(request.url()));
    page.on('requestfailed', (request) => tab.faults.push(`failed: ${request.url()}`));
    page.on('dialog', (dialog) => {
      tab.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return tab;
  }

  /** Opens a tab and loads a path. */
  async function visit(path: string, options?: BrowserContextOptions): Promise<Tab> {
    const tab = await open(options);
    await tab.page.goto(path, { waitUntil: 'load' });
    return tab;
  }

  return {
    open,
    visit,
    get server() {
      return site.server;
    },
    get tenant() {
      return site.tenant;
    },
    get examples() {
      return site.examples;
    },
  };
}
