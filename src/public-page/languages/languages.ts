import { EN, type Words } from './en.js';

/** Words of each language of the pages, by its BCP 47 tag. */
const LANGUAGES: Readonly<Record<string, Words>> = { en: EN };

/** Returns the words of a language. An unknown language falls back to English. */
export function wordsOf(language: string): Words {
  return LANGUAGES[language] ?? EN;
}
