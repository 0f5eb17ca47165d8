// Makes screenshots of status pages, on data of its own: `npm run build && npm run screenshots -- [directory]`. Without a
// directory, it makes only the screenshots of the documentation, docs/pictures/. It needs Chromium (CHROMIUM, by default /usr/bin/chromium).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createPages } from './screenshot-pages.mjs';

const PICTURES = 'docs/pictures';
const WIDTHS = [360, 768, 1440];
const SCHEMES = ['light', 'dark'];
/** The pictures of the documentation: page, width, color scheme and, as a whole page is too long, height. */
const DOCUMENTATION = [
  ['acme-cloud', 1440, 'light', 1500],
  ['acme-cloud', 1440, 'dark', 1500],
  ['acme-cloud', 360, 'light', 1500],
  ['on-fire', 1440, 'light', 1500],
];

const [directory] = process.argv.slice(2);
const dataDirectory = mkdtempSync(join(tmpdir(), 'screenshots-'));
const { DATABASE_URL: _, ...inherited } = process.env;
const env = { ...inherited, DATA_DIR: dataDirectory, PORT: '0', EMBEDDED: 'true', DEMO: 'true' };
const server = spawn('sh', ['bin/serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const { url, key } = await started(server);
  const slugs = await createPages(url, key);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  if (directory) await takeAll(browser, url, ['acme-cloud', ...slugs]);
  else await takePictures(browser, url);
  await browser.close();
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dataDirectory, { recursive: true });
}

/** Waits until the server has printed its URL and the key of the demo. */
async function started({ stdout }) {
  let output = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    output += chunk;
    const [, url] = /listens on (\S+)/.exec(output) ?? [];
    const [, key] = /^export KEY=(\S+)$/m.exec(output) ?? [];
    if (!url || !key) continue;
    stdout.resume();
    return { url, key };
  }
  throw new Error('the server did not start');
}

/** Every page in every width and color scheme. */
async function takeAll(browser, url, slugs) {
  mkdirSync(directory, { recursive: true });
  for (const slug of slugs)
    for (const width of WIDTHS)
      for (const scheme of SCHEMES)
        await take(browser, `${url}/status/${slug}`, {
          width,
          scheme,
          path: join(directory, `${slug}-${width}-${scheme}.png`),
        });
}

async function takePictures(browser, url) {
  mkdirSync(PICTURES, { recursive: true });
  for (const [slug, width, scheme, height] of DOCUMENTATION) {
    const path = join(PICTURES, `${slug}-${width}-${scheme}.png`);
    await take(browser, `${url}/status/${slug}`, { width, scheme, height, path });
  }
}

/** Takes the whole page, or its beginning, if `height` is given. */
async function take(browser, address, { width, scheme, height, path }) {
  const context = await browser.newContext({
    viewport: { width, height: height ?? 900 },
    colorScheme: scheme,
    deviceScaleFactor: width < 768 && !height ? 2 : 1,
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.screenshot({ path, fullPage: height === undefined });
  await context.close();
}
