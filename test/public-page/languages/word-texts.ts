import type { Words } from '../../../src/page-model/languages/en/page.js';

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
  const { feed, headline, status_for, in_parentheses, title, uptime, uptime_in, percent, ...others } = words;
  const { days_of, monitored_since, no_incidents_on, days_in_zone, last_updated, since, ...rest } = others;
  const { previous, next, not_operational, bars, day_counts, language: _, space: __, ...more } = rest;
  const { days_ago, last_days, every_day, always_operational, all_updates, earlier_updates, ...last } = more;
  const { others: otherNames, systems, others_operational, ...fixed } = last;
  const { open_incidents, ...headlines } = headline;

  for (const [name, write] of Object.entries({
    'headline.open_incidents': open_incidents,
    others: otherNames,
    systems,
    others_operational,
    all_updates,
    earlier_updates,
    days_ago,
    last_days,
    every_day,
    always_operational,
  }))
    numbers(name, write);
  numbers('not_operational', (number) => not_operational(number, 22));
  numbers('uptime_in', (number) => uptime_in(uptime(99.98), number));
  numbers('bars', (number) => bars(90, uptime(99.98), number, number));
  add('bars(unknown)', bars(90, words.status.unknown, 0, 0));
  numbers('day_counts', (number) => day_counts(number, 0));
  numbers('day_counts(maintenance)', (number) => day_counts(0, number));
  for (const value of [0, 99.9, 99.98, 100]) {
    add(`uptime(${value})`, uptime(value));
    add(`percent(${value})`, percent(value));
  }
  for (const first of [true, false]) add(`status_for(${first})`, status_for('major_outage', '19 min', first));
  add('in_parentheses', in_parentheses('…'));
  add('title', title('Acme', '…'));
  for (const [name, write] of Object.entries({
    days_of,
    monitored_since,
    no_incidents_on,
    days_in_zone,
    last_updated,
    since,
    previous,
    next,
  }))
    add(name, write('…'));
  const { planned, called_off, update, ...ofFeeds } = feed;
  add('feed.planned', planned);
  add('feed.called_off', called_off);
  add('feed.update', update('…', 'API'));
  for (const [name, write] of Object.entries(ofFeeds)) add(`feed.${name}`, write('API'));
  addFixed(texts, '', { ...fixed, headline: headlines });
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
