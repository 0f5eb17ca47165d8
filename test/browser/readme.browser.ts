import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { DemoService } from '../../src/demo/demo.service.js';
import { actorIn } from '../support/actors.js';
import { callCommand } from '../client/use-command.js';
import { TestServer, until } from '../support/server.js';
import { launchChromium } from './launch.js';

const MAIL_DIR = mkdtempSync(join(tmpdir(), 'readme-mail-'));
const [, CHAPTER = ''] = readFileSync('README.md', 'utf8').split('\n## Mail to subscribers\n');
const STEPS = (CHAPTER.split('\n## ')[0] ?? '').trim().split(/\n(?=\d\. )/);

let server: TestServer;
let browser: Browser;
let key: string;

beforeAll(async () => {
  server = await TestServer.start({ MAIL_DIR, NOTIFY_DELAY: '0', DELIVERY: 'on' });
  const demo = await server.app.get(DemoService).create(1, actorIn);
  ({ key } = demo);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(MAIL_DIR, { recursive: true });
});

/** Opens a URL of README.md or of a message in a new profile. */
async function visit(url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const { pathname, search } = new URL(url);
  await page.goto(server.url + pathname + search);
  return page;
}

/** Runs the command that prints mail until its output contains a link of this kind. Returns the link. */
async function printedLink(command: string, kind: RegExp): Promise<string> {
  return until(async () => {
    const script = command.replace('data/mail', MAIL_DIR);
    const { stdout } = await promisify(execFile)('bash', ['-c', script]).catch(() => ({ stdout: '' }));
    return stdout.match(/https?:\/\/[^\s<>"]+/g)?.find((link) => kind.test(link));
  });
}

describe('README.md', () => {
  it('describes how to subscribe, read the mail and unsubscribe, step by step', async () => {
    const [subscribe = '', confirm = '', publish = ''] = STEPS;
    const [, address = ''] = /`(\S+@\S+)`/.exec(subscribe) ?? [];
    const [url = ''] = /http:\S+(?=,)/.exec(subscribe) ?? [];
    const [, print = ''] = /`(perl [^`]+)`/.exec(confirm) ?? [];
    const [, command = ''] = /npx status-pages ([^`]+)`/.exec(publish) ?? [];

    const form = await visit(url);
    await form.fill('#email', address);
    await form.press('#email', 'Enter');
    const confirmation = await visit(await printedLink(print, /\/confirm\//));
    await confirmation.getByRole('button', { name: 'Confirm the subscription' }).click();
    expect(await confirmation.textContent('main')).toContain('You are subscribed');

    const parameters = (command.match(/"[^"]*"|\S+/g) ?? []).map((one) => one.replaceAll('"', ''));
    const env = { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: key, STATUS_PAGES_PROJECT: 'Demo' };
    expect(await callCommand(server, env, ...parameters)).toMatchObject({ code: 0 });
    const end = await visit(await printedLink(print, /\/subscription\//));
    expect(await end.textContent('main')).toContain('Unsubscribe');
  });
});
