// Draws each kind of public page, and mail, on an instance of its own: `npm run screenshots` draws all of them into
// reports/screenshots/, `npm run screenshots -- incident maintenance` only these kinds, and `npm run screenshots -- --docs`
// the pictures of the documentation. Requires Chromium (CHROMIUM, default /usr/bin/chromium).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { MAIL_NAMES, mailHtml } from './screenshot-mails.mjs';
import { Api, KINDS } from './screenshot-pages.mjs';

const REPORTS = 'reports/screenshots';
const SIZES = [
  { width: 1440, height: 900, deviceScaleFactor: 1 },
  { width: 390, height: 844, deviceScaleFactor: 2 },
];
const SCHEMES = ['light', 'dark'];

/** Kind that draws messages instead of public pages. */
const MAIL = 'mail';
const MAIL_SIZES = [
  { width: 700, height: 400, deviceScaleFactor: 1 },
  { width: 360, height: 400, deviceScaleFactor: 2 },
];

const PICTURES = 'docs/pictures';
/** Pictures of the documentation, as high as their window. A test limits each one to 60 kB. */
const DOCUMENTATION = [
  { kind: 'demo', scheme: 'light', width: 1440, height: 1200, deviceScaleFactor: 1 },
  { kind: 'demo', scheme: 'dark', width: 1440, height: 1200, deviceScaleFactor: 1 },
  { kind: 'incident', scheme: 'light', width: 390, height: 844, deviceScaleFactor: 2 },
  { kind: MAIL, mail: 'created', scheme: 'light', width: 700, height: 430, deviceScaleFactor: 1 },
  { kind: MAIL, mail: 'scheduled', scheme: 'dark', width: 700, height: 410, deviceScaleFactor: 1 },
];
/** Pictures of the console, of a member who reports an incident. */
const CONSOLE = { width: 390, height: 844, deviceScaleFactor: 2 };
const WEBP = { format: 'webp', quality: 40 };

const { values, positionals } = parseArgs({ options: { docs: { type: 'boolean' } }, allowPositionals: true });
const allKinds = [...Object.keys(KINDS), MAIL];
const unknown = positionals.filter((kind) => !allKinds.includes(kind));
if (unknown.length > 0) {
  process.stderr.write(`unknown kinds: ${unknown.join(', ')}. The kinds are: ${allKinds.join(', ')}\n`);
  process.exit(1);
}

const dataDirectory = mkdtempSync(join(tmpdir(), 'screenshots-'));
const { DATABASE_URL: _, ...inherited } = process.env;
const env = {
  ...inherited,
  DATA_DIR: dataDirectory,
  PORT: '0',
  EMBEDDED: 'true',
  DEMO: 'true',
  RATE_LIMIT: '0',
};
const server = spawn('sh', ['bin/serve', '--dev'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
let browser;
try {
  const { url, key, link } = await started(server);
  const api = await Api.create(url, key);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  if (values.docs) {
    rmSync(PICTURES, { recursive: true, force: true });
    mkdirSync(PICTURES);
    await drawConsole(url, link); // first, because other pictures add projects
    await drawDocumentation(api, url);
  } else await drawKinds(api, url, positionals.length > 0 ? positionals : allKinds);
} finally {
  await browser?.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dataDirectory, { recursive: true });
}

/** Waits until the server has printed its URL, the key of the demo, and the path that signs in to the console. */
async function started({ stdout }) {
  let output = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    output += chunk;
    const [, url] = /listens on (\S+)/.exec(output) ?? [];
    const [, key] = /^export KEY=(\S+)$/m.exec(output) ?? [];
    const [, link] = /(\/manage\/sign-in\/\S+)/.exec(output) ?? [];
    if (!url || !key || !link) continue;
    stdout.resume();
    return { url, key, link };
  }
  throw new Error('the server did not start');
}

/** Draws whole pages of these kinds in each language, size and color scheme, and prints their files and heights. */
async function drawKinds(api, url, kinds) {
  mkdirSync(REPORTS, { recursive: true });
  for (const kind of kinds) {
    if (kind === MAIL) {
      await drawMails();
      continue;
    }
    const { create, languages = ['en'] } = KINDS[kind];
    const path = await create(api);
    for (const language of languages)
      for (const size of SIZES)
        for (const scheme of SCHEMES) {
          const suffix = language === 'en' ? '' : `-${language}`;
          const file = join(REPORTS, `${kind}${suffix}-${size.width}-${scheme}.png`);
          const page = await tab(size, scheme);
          await page.goto(`${url}${path}${suffix && `?lang=${language}`}`);
          await page.screenshot({ path: file, fullPage: true });
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          process.stdout.write(`${file} ${height} px\n`);
          await page.context().close();
        }
  }
}

/** Draws whole messages in each size and color scheme, from the files that the service would write. */
async function drawMails() {
  for (const name of MAIL_NAMES) {
    const html = await mailHtml(name, dataDirectory);
    for (const size of MAIL_SIZES)
      for (const scheme of SCHEMES) {
        const file = join(REPORTS, `${MAIL}-${name}-${size.width}-${scheme}.png`);
        const page = await tab(size, scheme);
        await page.setContent(html);
        await page.screenshot({ path: file, fullPage: true });
        process.stdout.write(`${file}\n`);
        await page.context().close();
      }
  }
}

/** Draws the pictures of the documentation, and prints their files and sizes. */
async function drawDocumentation(api, url) {
  for (const { kind, mail, scheme, ...size } of DOCUMENTATION) {
    const page = await tab(size, scheme);
    if (kind === MAIL) await page.setContent(await mailHtml(mail, dataDirectory));
    else await page.goto(url + (await KINDS[kind].create(api)));
    const name = mail === undefined ? kind : `${kind}-${mail}`;
    await drawPicture(page, `${name}-${size.width}-${scheme}`, size);
    await page.context().close();
  }
}

/** Draws how a member reports an incident in the console. */
async function drawConsole(url, link) {
  const page = await tab(CONSOLE, 'light');
  await page.goto(url + link);
  await page.locator('main button').first().click();
  await page.goto(`${url}/manage`); // without the offer to set a password
  await drawPicture(page, 'console-now', CONSOLE);
  await page.goto(`${url}/manage/incidents/new`);
  await page.locator('ul.rows a', { hasText: 'Demo' }).or(page.locator('[name=title]')).first().click();
  await page.locator('label', { hasText: 'Partial outage' }).first().click();
  await drawPicture(page, 'console-report', CONSOLE);
  await page.fill('[name=title]', 'Payments fail');
  await page.fill('[name=body]', 'Card payments fail. We write again in 30 minutes.');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Publish' }).waitFor();
  await drawPicture(page, 'console-review', CONSOLE);
  await page.context().close();
}

/** Draws what a tab shows to a file, and prints its size. */
async function drawPicture(page, name, { width, height, deviceScaleFactor: scale }) {
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale };
  // page.screenshot() cannot make WebP.
  const { data } = await session.send('Page.captureScreenshot', { ...WEBP, clip });
  const picture = Buffer.from(data, 'base64');
  const file = join(PICTURES, `${name}.webp`);
  writeFileSync(file, picture);
  process.stdout.write(`${file} ${picture.length} bytes\n`);
}

/** Opens an empty tab. */
async function tab({ width, height, deviceScaleFactor }, colorScheme) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor,
    colorScheme,
    timezoneId: 'America/New_York',
  });
  return context.newPage();
}
