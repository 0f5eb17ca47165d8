import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_NL } from './gate.js';
import { SUBSCRIPTION_NL } from './subscription.js';

const count = countIn('nl');
const percent = percentIn('nl');
const inLastDays = (days: number) =>
  count(days, { one: ' in de afgelopen dag', other: ' in de afgelopen # dagen' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# dag met problemen', other: '# dagen met problemen' }),
  maintenance: (days) => count(days, { one: '# dag met onderhoud', other: '# dagen met onderhoud' }),
});

/** Dutch words. */
export const NL: Translation = {
  language: 'nl',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operationeel',
    degraded_performance: 'Verminderde prestaties',
    partial_outage: 'Gedeeltelijke storing',
    major_outage: 'Grote storing',
    under_maintenance: 'In onderhoud',
    unknown: 'Geen gegevens',
  },
  status_in_text: {
    operational: 'operationeel',
    degraded_performance: 'verminderde prestaties',
    partial_outage: 'gedeeltelijke storing',
    major_outage: 'grote storing',
    under_maintenance: 'in onderhoud',
    unknown: 'geen gegevens',
  },
  headline: {
    operational: 'Alle systemen zijn operationeel',
    some_degraded: 'Sommige systemen hebben verminderde prestaties',
    all_degraded: 'Alle systemen hebben verminderde prestaties',
    partial_outage: 'Gedeeltelijke storing',
    major_outage: 'Grote storing',
    maintenance: 'Onderhoud wordt uitgevoerd',
    some_unknown: 'Sommige systemen sturen geen gegevens',
    all_unknown: 'Geen enkel systeem stuurt gegevens',
    no_monitors: 'Geen systemen op deze pagina',
    open_incidents: (number) => count(number, { one: '# open incident', other: '# open incidenten' }),
  },
  wrong: {
    major_outage: '{names}: buiten werking.',
    partial_outage: '{names}: gedeeltelijk buiten werking.',
    degraded_performance: '{names}: verminderde prestaties.',
    unknown: '{names}: geen gegevens.',
    under_maintenance: '{names}: in onderhoud.',
  },
  others: (number) => count(number, { one: '# ander', other: '# andere' }),
  systems: (number) => count(number, { one: '# systeem', other: '# systemen' }),
  others_operational: (number) =>
    count(number, { one: '# ander systeem operationeel.', other: '# andere systemen operationeel.' }),
  all_operational: 'Alle systemen zijn operationeel.',
  no_monitors_text:
    'Op deze pagina staan nog geen systemen. Incidenten en onderhoud worden hier wel aangekondigd.',
  incident_status: {
    investigating: 'In onderzoek',
    identified: 'Oorzaak gevonden',
    monitoring: 'Wordt gevolgd',
    resolved: 'Opgelost',
  },
  update_text: {
    investigating: 'We onderzoeken dit incident.',
    identified: 'De oorzaak is gevonden.',
    monitoring: 'Er is een oplossing doorgevoerd. We volgen het resultaat.',
    resolved: 'Dit incident is opgelost.',
  },
  impact: {
    minor: 'Kleine impact',
    major: 'Grote impact',
    critical: 'Kritieke impact',
  },
  maintenance_status: {
    scheduled: 'Gepland',
    in_progress: 'Bezig',
    completed: 'Voltooid',
    cancelled: 'Geannuleerd',
  },

  feed: {
    title: (page) => `Status van ${page}`,
    calendar: (page) => `Onderhoud van ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Onderhoud: ${title}`,
    maintenance_update: (title) => `Update over onderhoud: ${title}`,
    updated_at: (time) => `Update van ${time}:`,
    cancelled: (title) => `Geannuleerd: ${title}`,
    affected: (names) => `Getroffen systemen: ${names}`,
    planned: 'Geplande tijd:',
    called_off: 'Dit onderhoud is geannuleerd.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Naamloos',
  skip: 'Naar de inhoud',
  last_updated: (time) => `Laatst bijgewerkt: ${time}`,
  reload: 'Vernieuwen',
  out_of_date: 'Deze pagina is mogelijk verouderd.',
  overview: 'Alle systemen',
  details: 'Bijzonderheden',

  open_incidents: 'Open incidenten',
  maintenance_now: 'Lopend onderhoud',
  planned: 'Gepland onderhoud',
  past: 'Eerdere incidenten en onderhoud',
  nothing_past: 'Geen incidenten of onderhoud in de afgelopen 14 dagen.',
  nothing_else_past: 'Geen andere incidenten of onderhoud in de afgelopen 14 dagen.',
  history: 'Geschiedenis',
  full_history: 'Geschiedenis van incidenten en onderhoud',
  no_incidents_on: (days) => `${days}: geen incidenten gemeld`,
  days_in_zone: (zone) => `Tijdzone: ${zone}`,
  more_updates: 'Alle meldingen',
  affects: 'Getroffen systemen:',
  affected: 'Getroffen systemen:',
  since: (time) => `Sinds ${time}`,
  updates: 'Meldingen',
  earlier_updates: (number) => count(number, { one: '# eerdere melding', other: '# eerdere meldingen' }),
  all_updates: (number) => count(number, { one: '# melding weergeven', other: 'Alle # meldingen' }),
  postmortem: 'Evaluatie',

  not_operational: (number, total) => `${number} van ${total} niet operationeel`,
  no_systems: 'Geen systemen in dit onderdeel.',
  percent,
  uptime: (value) => `${percent(value)} beschikbaarheid`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Gemonitord sinds ${day}`,
  days_ago: (days) => count(days, { one: '# dag geleden', other: '# dagen geleden' }),
  today: 'Vandaag',
  last_days: (days) => count(days, { one: 'Afgelopen dag', other: 'Afgelopen # dagen' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? NL.status[status] : NL.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Dagen zonder gegevens',
  bars: (days, uptime, problems, maintenance) =>
    uptime === NL.status.unknown
      ? `${NL.last_days(days)}: geen gegevens`
      : `${NL.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'geen problemen')}`,
  not_monitored: 'Nog niet gemonitord',
  days_of: (name) => `${name}: dagen met problemen`,
  day: 'Dag (UTC)',
  what: 'Status',
  all_day: 'de hele dag',
  every_day: (days) => count(days, { one: '# dag weergeven', other: 'Alle # dagen' }),
  total: 'Totaal',
  share: 'Duur',
  response_times: 'Responstijden',
  median: 'Mediaan',
  p95: '95e percentiel',
  status_column: 'Status',
  uptime_counts:
    'Beschikbaarheid: gedeeltelijke storingen tellen voor 30%, verminderde prestaties en onderhoud tellen niet mee.',
  always_operational: (days) =>
    count(days, {
      one: 'Geen problemen in de afgelopen dag.',
      other: 'Geen problemen in de afgelopen # dagen.',
    }),

  nothing_in_month: 'Geen incidenten of onderhoud in deze maand.',
  months_navigation: 'Maanden',
  previous: (month) => `Vorige: ${month}`,
  next: (month) => `Volgende: ${month}`,

  header_navigation: 'Links in de koptekst',
  footer_navigation: 'Links in de voettekst',
  website: 'Naar de website',
  support: 'Contact met support',
  subscribe: 'Abonneren',
  languages_navigation: 'Taal',
  subscribe_title: 'Abonneren op meldingen',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'Elke melding over een incident of onderhoud, in een feedlezer of chattool.',
  calendar: 'Onderhoudskalender',
  calendar_text: 'Onderhoud in uw agenda-app.',
  powered_by: 'Gemaakt met Status Pages',
  subscription: SUBSCRIPTION_NL,
  gate: GATE_NL,
};
