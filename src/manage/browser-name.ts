import { WORDS } from './words.js';

const { account: words } = WORDS;

/** Maximum number of characters of a header that names no known browser. */
const MAX_UNKNOWN = 40;

/** Marks of browsers in `User-Agent`. Many browsers also name those that they descend from, so the first match counts. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** Marks of operating systems. Android also names Linux, and an iPhone Mac OS. */
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/**
 * Returns the browser and its system, such as `Firefox on Android`, or the beginning of an unknown header.
 * @param userAgent as the client has sent it
 */
export function browserName(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser !== undefined && system !== undefined) return words.browser_on(browser, system);
  const text = browser ?? [...userAgent.trim()].slice(0, MAX_UNKNOWN).join('');
  return text === '' ? words.unknown_browser : text;
}
