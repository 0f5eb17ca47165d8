import type { Language } from '../../branding/languages.js';
import { DE } from './de.js';
import { EN, type Words } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';
import { JA } from './ja.js';
import { NL } from './nl.js';
import { PL } from './pl.js';
import { PT } from './pt.js';
import { ZH } from './zh.js';

/** Words of each language of the pages. */
export const WORDS: Record<Language, Words> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  nl: NL,
  pl: PL,
  ja: JA,
  zh: ZH,
};

const byTag: Readonly<Record<string, Words>> = WORDS;

/** Returns the words of a language. An unknown language falls back to English. */
export function wordsOf(language: string): Words {
  return byTag[language] ?? EN;
}
