import type { Words } from '../../../src/public-page/languages/en.js';

/** A text of a language, with its name and, for a function, its arguments. */
export interface WordText {
  name: string;
  text: string;
}

const NUMBERS = [0, 1, 2, 5, 21, 22, 1.5];

/**
 * Returns all texts of a language. Calls each function with sample values: numbers where the English text of a number contains
 * the number, and names otherwise.
 */
export function wordTexts(words: Words): WordText[] {
  const texts: WordText[] = [];
  const add = (name: string, text: string) => texts.push({ name, text });
  const numbers = (name: string, write: (number: number) => string) => {
    for (const number of NUMBERS) add(`${name}(${number})`, write(number));
  };
  const { feed, status_for, in_parentheses, title, uptime, monitored_since, days_of, ...others } = words;
  const { open_incident_count, all_updates, days_ago, last_days, in_last_days, ...rest } = others;
  const { with_problems, every_day, always_operational, not_operational, bars, language: _, ...fixed } = rest;

  for (const [name, write] of Object.entries({
    open_incident_count,
    all_updates,
    days_ago,
    last_days,
    in_last_days,
    with_problems,
    every_day,
    always_operational,
  }))
    numbers(name, write);
  numbers('not_operational', (number) => not_operational(number, 22));
  numbers('bars', (number) => bars(90, uptime(99.98), number));
  add('bars(unknown)', bars(90, words.status.unknown, 0));
  for (const percent of [0, 99.9, 99.98, 100]) add(`uptime(${percent})`, uptime(percent));
  for (const first of [true, false]) add(`status_for(${first})`, status_for('major_outage', '19 min', first));
  add('in_parentheses', in_parentheses('…'));
  add('title', title('Acme', '…'));
  add('monitored_since', monitored_since('2026'));
  add('days_of', days_of('API'));
  const { planned, called_off, update, ...ofFeeds } = feed;
  add('feed.planned', planned);
  add('feed.called_off', called_off);
  add('feed.update', update('…', 'API'));
  for (const [name, write] of Object.entries(ofFeeds)) add(`feed.${name}`, write('API'));
  addFixed(texts, '', fixed);
  return texts;
}

/** Texts without parameters, by name. */
interface Fixed {
  readonly [name: string]: string | Fixed;
}

function addFixed(texts: WordText[], prefix: string, fixed: Fixed): void {
  for (const [name, value] of Object.entries(fixed)) {
    if (typeof value === 'string') texts.push({ name: prefix + name, text: value });
    else addFixed(texts, `${prefix}${name}.`, value);
  }
}
