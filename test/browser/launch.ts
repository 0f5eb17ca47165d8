import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell comes first: it takes half as long as a Chromium with windows. */
const CANDIDATES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/**
 * Starts the Chromium in `CHROMIUM`, or one of a Debian package.
 * @throws if none is installed
 */
export async function launchChromium(args: string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? CANDIDATES.find(existsSync);
  if (executablePath === undefined)
    throw new Error(
      'no Chromium: install Debian\'s package "chromium-headless-shell" or "chromium", or set CHROMIUM to its path',
    );
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...args] });
}
