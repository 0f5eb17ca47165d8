import type { Language } from '../../branding/languages.js';

/**
 * Plural categories of each language (Unicode CLDR) for the numbers on a page. Without `many` of French, Italian, Portuguese and
 * Spanish, which is for millions.
 */
export const CATEGORIES = {
  en: ['one', 'other'],
  de: ['one', 'other'],
  fr: ['one', 'other'],
  es: ['one', 'other'],
  pt: ['one', 'other'],
  it: ['one', 'other'],
  nl: ['one', 'other'],
  pl: ['one', 'few', 'many', 'other'],
  ja: ['other'],
  zh: ['other'],
} as const satisfies Record<Language, readonly Intl.LDMLPluralRule[]>;

type Forms<Of extends Language> = Record<(typeof CATEGORIES)[Of][number], string>;

/**
 * Returns a function that writes numbers with a word in the form that belongs to them. A missing form does not compile.
 *
 *     const count = countIn('pl');
 *     count(2, { one: '# dzień', few: '# dni', many: '# dni', other: '# dnia' }) // '2 dni'
 */
export function countIn<Of extends Language>(language: Of): (number: number, forms: Forms<Of>) => string {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (number, forms) => {
    const all: Partial<Record<Intl.LDMLPluralRule, string>> & { other?: string } = forms;
    const form = all[rules.select(number)] ?? all.other ?? '';
    return form.replace('#', numbers.format(number));
  };
}

/**
 * Returns a function that writes a percentage, which is already rounded down, with two decimals: 99.999 is never shown as 100.
 * 100 has no decimals.
 */
export function percentIn(language: Language): (percent: number) => string {
  const style = 'percent';
  const whole = new Intl.NumberFormat(language, { style });
  const exact = new Intl.NumberFormat(language, { style, minimumFractionDigits: 2 });
  return (percent) => (percent === 100 ? whole : exact).format(percent / 100);
}

interface DayTexts {
  /** Returns a text of a number of days. */
  problems: (days: number) => string;
  maintenance: (days: number) => string;
}

/** Returns a function that writes the numbers of days with problems and with maintenance, except for 0. */
export function countDaysIn(
  comma: string,
  texts: DayTexts,
): (problems: number, maintenance: number, noProblems?: string) => string {
  return (problems, maintenance, noProblems = '') =>
    [
      problems === 0 ? noProblems : texts.problems(problems),
      maintenance === 0 ? '' : texts.maintenance(maintenance),
    ]
      .filter((text) => text !== '')
      .join(comma);
}
