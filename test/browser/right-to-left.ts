import type { Words } from '../../src/public-page/languages/en.js';
import { EN } from '../../src/public-page/languages/en.js';

/** Returns a text in Hebrew letters that contains the English text, so that failures are readable. */
const inHebrew = (text: string) => `אבגד ${text} הוזח`;

function allInHebrew<Name extends string>(texts: Record<Name, string>): Record<Name, string> {
  const found = { ...texts };
  for (const name in texts) found[name] = inHebrew(texts[name]);
  return found;
}

/** Words of a pseudo-locale that is written from right to left, for tests of the layout. Visitors cannot request it. */
export const RIGHT_TO_LEFT: Words = {
  ...EN,
  language: 'he',
  direction: 'rtl',
  status: allInHebrew(EN.status),
  status_in_text: allInHebrew(EN.status_in_text),
  headline: allInHebrew(EN.headline),
  incident_status: allInHebrew(EN.incident_status),
  impact: allInHebrew(EN.impact),
  maintenance_status: allInHebrew(EN.maintenance_status),
  update_text: allInHebrew(EN.update_text),
  skip: inHebrew(EN.skip),
  last_updated: inHebrew(EN.last_updated),
  reload: inHebrew(EN.reload),
  overview: inHebrew(EN.overview),
  details: inHebrew(EN.details),
  open_incidents: inHebrew(EN.open_incidents),
  planned: inHebrew(EN.planned),
  past: inHebrew(EN.past),
  history: inHebrew(EN.history),
  full_history: inHebrew(EN.full_history),
  affects: inHebrew(EN.affects),
  affected: inHebrew(EN.affected),
  since: inHebrew(EN.since),
  uptime: (value) => inHebrew(EN.uptime(value)),
  days_ago: (days) => inHebrew(EN.days_ago(days)),
  today: inHebrew(EN.today),
  with_problems: (days) => inHebrew(EN.with_problems(days)),
  not_operational: (number, total) => inHebrew(EN.not_operational(number, total)),
  subscribe: inHebrew(EN.subscribe),
  calendar: inHebrew(EN.calendar),
  powered_by: inHebrew(EN.powered_by),
};
