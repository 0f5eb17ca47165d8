import { describe, expect, it } from 'vitest';
import { type Language, LANGUAGES } from '../../../src/branding/languages.js';
import type { Words } from '../../../src/page-model/languages/en/page.js';
import { NEW_WORDS } from '../../../src/page-model/languages/en/new-words.js';
import { TRANSLATIONS, wordsOf } from '../../../src/page-model/words.js';
import { CATEGORIES, countIn, percentIn } from '../../../src/page-model/languages/numbers.js';
import { wordTexts } from './word-texts.js';

const OTHERS = LANGUAGES.filter((one) => one !== 'en');
const NUMBERS = [0, 1, 2, 5, 21, 22, 1.5];

/** Texts that are the same in English and another language: names, signs, and words that both have. */
const SAME: Record<Exclude<Language, 'en'>, string[]> = {
  de: ['comma', 'in_parentheses', 'what', 'details', 'median', 'status_column', 'feed.update', 'title'],
  fr: ['comma', 'in_parentheses', 'feed.maintenance', 'total', 'title'],
  es: ['comma', 'in_parentheses', 'feed.update', 'title', 'total'],
  pt: ['comma', 'in_parentheses', 'what', 'status_column', 'feed.update', 'title', 'total', 'percent'],
  it: ['comma', 'in_parentheses', 'feed.update', 'gate.password', 'title', 'percent'],
  nl: [
    'comma',
    'in_parentheses',
    'what',
    'status_column',
    'feed.update',
    'title',
    'headline.open_incidents',
    'percent',
  ],
  pl: ['comma', 'in_parentheses', 'feed.update', 'title', 'percent', 'systems'],
  ja: ['title', 'percent'],
  zh: ['title', 'percent'],
};

describe.each(LANGUAGES)('the words in %s', (language) => {
  const texts = wordTexts(wordsOf(language));

  it('belong to this language', () => {
    expect(wordsOf(language).language).toBe(language);
    expect(Intl.PluralRules.supportedLocalesOf(language)).toEqual([language]);
  });

  it('form complete texts for all sample values', () => {
    for (const { name, text } of texts) {
      expect([name, text]).toEqual([name, expect.not.stringMatching(/undefined|NaN|\bnull\b|\[object|#|^$/)]);
      expect([name, text]).toEqual([name, expect.not.stringMatching(/ {2}|["'\n]/)]);
    }
  });

  it('cover the plural category of each number', () => {
    const rules = new Intl.PluralRules(language);
    const used = new Set([...NUMBERS, ...Array(1_000).keys()].map((number) => rules.select(number)));
    expect([...used].toSorted()).toEqual([...CATEGORIES[language]].toSorted());
  });
});

describe.each(OTHERS)('the words in %s compared to English', (language) => {
  it('differ, except for a few', () => {
    const english = new Map(wordTexts(wordsOf('en')).map(({ name, text }) => [name, text]));
    const equal = wordTexts(wordsOf(language)).filter(({ name, text }) => english.get(name) === text);
    const names = new Set(equal.map(({ name }) => name.replace(/\(.*/, '')));
    const untranslated = Object.keys(NEW_WORDS).filter((name) => !(name in TRANSLATIONS[language]));
    const allowed = [
      'feeds.rss',
      'feeds.atom',
      'feeds.json',
      'direction',
      ...untranslated,
      ...SAME[language],
    ];
    for (const name of allowed) names.delete(name);
    expect([...names]).toEqual([]);
  });

  it('use colons with the spacing of the language', () => {
    const before = language === 'fr' ? /[^\u00a0]:/ : /\s:/;
    const wrong = wordTexts(wordsOf(language)).filter(({ text }) => before.test(text));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('NEW_WORDS', () => {
  it('lists only words that a language does not contain', () => {
    const complete = Object.keys(NEW_WORDS).filter((name) =>
      Object.values(TRANSLATIONS).every((words) => name in words),
    );
    expect(complete).toEqual([]);
  });
});

describe('Polish', () => {
  const { headline, day_counts, days_ago, bars } = wordsOf('pl');

  it('uses forms for one, few, many and fractions', () => {
    expect([1, 2, 5, 12, 21, 22, 25, 1.5].map(headline.open_incidents)).toEqual([
      '1 otwarty incydent',
      '2 otwarte incydenty',
      '5 otwartych incydentów',
      '12 otwartych incydentów',
      '21 otwartych incydentów',
      '22 otwarte incydenty',
      '25 otwartych incydentów',
      '1,5 otwartego incydentu',
    ]);
    expect([bars(90, '99,98% dostępności', 0, 0), day_counts(1, 0), day_counts(2, 5), days_ago(1)]).toEqual([
      'Ostatnie 90 dni: 99,98% dostępności, bez problemów',
      '1 dzień z problemami',
      '2 dni z problemami, 5 dni z pracami serwisowymi',
      '1 dzień temu',
    ]);
  });
});

describe('countIn', () => {
  it.each([
    ['en', ['0 days', '1 day', '2 days', '21 days', '1,500 days', '1.5 days']],
    ['fr', ['0 day', '1 day', '2 days', '21 days', '1\u202f500 days', '1,5 day']],
    ['de', ['0 days', '1 day', '2 days', '21 days', '1.500 days', '1,5 days']],
  ] as const)('selects the form and formats the number: %s', (language, expected) => {
    const count = countIn(language);
    const texts = [0, 1, 2, 21, 1_500, 1.5].map((number) => count(number, { one: '# day', other: '# days' }));
    expect(texts).toEqual(expected);
  });

  it('uses the last form for millions', () => {
    expect(countIn('es')(1_000_000, { one: '# día', other: '# días' })).toBe('1.000.000 días');
  });
});

describe('percentIn', () => {
  it.each([
    ['en', '99.98%', '100%', '0.00%'],
    ['de', '99,98\u00a0%', '100\u00a0%', '0,00\u00a0%'],
    ['fr', '99,98\u00a0%', '100\u00a0%', '0,00\u00a0%'],
    ['pl', '99,98%', '100%', '0,00%'],
    ['ja', '99.98%', '100%', '0.00%'],
  ] as const)('writes two decimals, except for 100: %s', (language, some, all, none) => {
    const percent = percentIn(language);
    expect([percent(99.98), percent(100), percent(0)]).toEqual([some, all, none]);
  });

  it('keeps two decimals', () => {
    const percent = percentIn('en');
    for (let hundredths = 0; hundredths < 10_000; hundredths++)
      expect(percent(hundredths / 100)).toBe(`${(hundredths / 100).toFixed(2)}%`);
  });
});

describe('wordsOf', () => {
  it('returns English words for an unknown language', () => {
    const unknown: Words = wordsOf('xx');
    expect(unknown.language).toBe('en');
  });
});
