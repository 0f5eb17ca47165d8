import { type Language, LANGUAGES } from '../branding/languages.js';

/**
 * Returns the language that a URL requests with `lang`. Returns undefined for an unknown language and for a repeated parameter:
 * the page is then shown in its own language, and no further copy of it is cached.
 */
export function requestedLanguage(url: string): Language | undefined {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('lang=', start)) return undefined;
  const [language, ...others] = new URLSearchParams(url.slice(start)).getAll('lang');
  return others.length > 0 ? undefined : LANGUAGES.find((one) => one === language);
}
