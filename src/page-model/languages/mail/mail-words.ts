import type { Language } from '../../../branding/languages.js';
import { MAIL_DE } from './de.js';
import { MAIL_EN, type MailWords } from './en.js';
import { MAIL_ES } from './es.js';
import { MAIL_FR } from './fr.js';
import { MAIL_IT } from './it.js';
import { MAIL_JA } from './ja.js';
import { MAIL_NL } from './nl.js';
import { MAIL_PL } from './pl.js';
import { MAIL_PT } from './pt.js';
import { MAIL_ZH } from './zh.js';

/** Words of mail by language. */
export const MAIL_WORDS: Record<Language, MailWords> = {
  de: MAIL_DE,
  en: MAIL_EN,
  es: MAIL_ES,
  fr: MAIL_FR,
  it: MAIL_IT,
  ja: MAIL_JA,
  nl: MAIL_NL,
  pl: MAIL_PL,
  pt: MAIL_PT,
  zh: MAIL_ZH,
};
