import type { Language } from '../../../branding/languages.js';
import { ENTRY_DE } from './de.js';
import { ENTRY_EN, type EntryWords } from './en.js';
import { ENTRY_ES } from './es.js';
import { ENTRY_FR } from './fr.js';
import { ENTRY_IT } from './it.js';
import { ENTRY_JA } from './ja.js';
import { ENTRY_NL } from './nl.js';
import { ENTRY_PL } from './pl.js';
import { ENTRY_PT } from './pt.js';
import { ENTRY_ZH } from './zh.js';

/** Words of the ways into a private page by language. */
export const ENTRY_WORDS: Record<Language, EntryWords> = {
  de: ENTRY_DE,
  en: ENTRY_EN,
  es: ENTRY_ES,
  fr: ENTRY_FR,
  it: ENTRY_IT,
  ja: ENTRY_JA,
  nl: ENTRY_NL,
  pl: ENTRY_PL,
  pt: ENTRY_PT,
  zh: ENTRY_ZH,
};

const byTag: Readonly<Record<string, EntryWords>> = ENTRY_WORDS;

/** Returns the words of a language. An unknown language falls back to English. */
export function entryWordsOf(language: string): EntryWords {
  return byTag[language] ?? ENTRY_EN;
}
