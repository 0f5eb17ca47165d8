import type { Words } from '../../src/page-model/languages/en/page.js';
import { EN } from '../../src/page-model/languages/en/page.js';

/** Returns a text in Hebrew letters that contains the English text, so that failures are readable. */
const inHebrew = (text: string) => `אבגד ${text} הוזח`;

function allInHebrew<Name extends string>(texts: Record<Name, string>): Record<Name, string> {
  const found = { ...texts };
  for (const name in texts) found[name] = inHebrew(texts[name]);
  return found;
}

const { open_incidents, ...HEADLINES } = EN.headline;

/** Words of a pseudo-locale that is written from right to left, for tests of the layout. Visitors cannot request it. */
export const RIGHT_TO_LEFT: Words = {
  ...EN,
  language: 'he',
  direction: 'rtl',
  status: allInHebrew(EN.status),
  status_in_text: allInHebrew(EN.status_in_text),
  headline: { ...allInHebrew(HEADLINES), open_incidents },
  wrong: allInHebrew(EN.wrong),
  others_operational: (number) => inHebrew(EN.others_operational(number)),
  incident_status: allInHebrew(EN.incident_status),
  impact: allInHebrew(EN.impact),
  maintenance_status: allInHebrew(EN.maintenance_status),
  update_text: allInHebrew(EN.update_text),
  skip: inHebrew(EN.skip),
  last_updated: (time) => inHebrew(EN.last_updated(time)),
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
  since: (time) => inHebrew(EN.since(time)),
  uptime: (value) => inHebrew(EN.uptime(value)),
  days_ago: (days) => inHebrew(EN.days_ago(days)),
  today: inHebrew(EN.today),
  day_counts: (problems, maintenance) => inHebrew(EN.day_counts(problems, maintenance)),
  no_incidents_on: (days) => inHebrew(EN.no_incidents_on(days)),
  days_in_zone: (zone) => inHebrew(EN.days_in_zone(zone)),
  earlier_updates: (number) => inHebrew(EN.earlier_updates(number)),
  not_operational: (number, total) => inHebrew(EN.not_operational(number, total)),
  subscribe: inHebrew(EN.subscribe),
  subscribe_title: inHebrew(EN.subscribe_title),
  feeds_text: inHebrew(EN.feeds_text),
  calendar: inHebrew(EN.calendar),
  powered_by: inHebrew(EN.powered_by),
};
