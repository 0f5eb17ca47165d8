import type { Language } from '../branding/languages.js';
import { ENTRY_DE } from './languages/de/entry.js';
import { MAIL_DE } from './languages/de/mail.js';
import { DE } from './languages/de/page.js';
import { ENTRY_EN, type EntryWords } from './languages/en/entry.js';
import { MAIL_EN, type MailWords } from './languages/en/mail.js';
import { NEW_WORDS } from './languages/en/new-words.js';
import { EN, type Translation, type Words } from './languages/en/page.js';
import { ENTRY_ES } from './languages/es/entry.js';
import { MAIL_ES } from './languages/es/mail.js';
import { ES } from './languages/es/page.js';
import { ENTRY_FR } from './languages/fr/entry.js';
import { MAIL_FR } from './languages/fr/mail.js';
import { FR } from './languages/fr/page.js';
import { ENTRY_IT } from './languages/it/entry.js';
import { MAIL_IT } from './languages/it/mail.js';
import { IT } from './languages/it/page.js';
import { ENTRY_JA } from './languages/ja/entry.js';
import { MAIL_JA } from './languages/ja/mail.js';
import { JA } from './languages/ja/page.js';
import { ENTRY_NL } from './languages/nl/entry.js';
import { MAIL_NL } from './languages/nl/mail.js';
import { NL } from './languages/nl/page.js';
import { ENTRY_PL } from './languages/pl/entry.js';
import { MAIL_PL } from './languages/pl/mail.js';
import { PL } from './languages/pl/page.js';
import { ENTRY_PT } from './languages/pt/entry.js';
import { MAIL_PT } from './languages/pt/mail.js';
import { PT } from './languages/pt/page.js';
import { ENTRY_ZH } from './languages/zh/entry.js';
import { MAIL_ZH } from './languages/zh/mail.js';
import { ZH } from './languages/zh/page.js';

/** Words of the pages in other languages than English. */
export const TRANSLATIONS: Record<Exclude<Language, 'en'>, Translation> = {
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

/** Words of the pages. */
export const WORDS: Record<Language, Words> = {
  en: EN,
  de: { ...NEW_WORDS, ...DE },
  fr: { ...NEW_WORDS, ...FR },
  es: { ...NEW_WORDS, ...ES },
  pt: { ...NEW_WORDS, ...PT },
  it: { ...NEW_WORDS, ...IT },
  nl: { ...NEW_WORDS, ...NL },
  pl: { ...NEW_WORDS, ...PL },
  ja: { ...NEW_WORDS, ...JA },
  zh: { ...NEW_WORDS, ...ZH },
};

/** Words of the ways into private pages. */
export const ENTRY_WORDS: Record<Language, EntryWords> = {
  en: ENTRY_EN,
  de: ENTRY_DE,
  fr: ENTRY_FR,
  es: ENTRY_ES,
  pt: ENTRY_PT,
  it: ENTRY_IT,
  nl: ENTRY_NL,
  pl: ENTRY_PL,
  ja: ENTRY_JA,
  zh: ENTRY_ZH,
};

/** Words that only mail has. */
export const MAIL_WORDS: Record<Language, MailWords> = {
  en: MAIL_EN,
  de: MAIL_DE,
  fr: MAIL_FR,
  es: MAIL_ES,
  pt: MAIL_PT,
  it: MAIL_IT,
  nl: MAIL_NL,
  pl: MAIL_PL,
  ja: MAIL_JA,
  zh: MAIL_ZH,
};

const pageWords: Readonly<Record<string, Words>> = WORDS;
const entryWords: Readonly<Record<string, EntryWords>> = ENTRY_WORDS;

/** Returns the words of the pages in a language. An unknown language falls back to English. */
export function wordsOf(language: string): Words {
  return pageWords[language] ?? EN;
}

/** Returns the words of the ways into private pages in a language. An unknown language falls back to English. */
export function entryWordsOf(language: string): EntryWords {
  return entryWords[language] ?? ENTRY_EN;
}
