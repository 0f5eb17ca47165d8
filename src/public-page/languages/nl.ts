import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('nl');
const percent = percentIn('nl');

/** Dutch words. */
export const NL: Words = {
  language: 'nl',
  direction: 'ltr',
  comma: ', ',
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
    degraded_performance: 'Sommige systemen presteren verminderd',
    partial_outage: 'Gedeeltelijke storing',
    major_outage: 'Grote storing',
    under_maintenance: 'Onderhoud wordt uitgevoerd',
    unknown: 'Sommige systemen sturen geen gegevens',
  },
  open_incident_count: (number) => count(number, { one: '# open incident', other: '# open incidenten' }),
  no_systems_on_page: 'Geen systemen op deze pagina',
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
  last_updated: 'Laatst bijgewerkt:',
  reload: 'Vernieuwen',
  out_of_date: 'Deze pagina is mogelijk verouderd.',
  overview: 'Alle systemen',
  details: 'Bijzonderheden',

  open_incidents: 'Open incidenten',
  planned: 'Onderhoud',
  past: 'Eerdere incidenten en onderhoud',
  nothing_past: 'Geen incidenten of onderhoud in de afgelopen 14 dagen.',
  nothing_else_past: 'Geen andere incidenten of onderhoud in de afgelopen 14 dagen.',
  history: 'Geschiedenis',
  full_history: 'Geschiedenis van incidenten en onderhoud',
  affects: 'Getroffen systemen:',
  affected: 'Getroffen systemen:',
  since: 'Sinds',
  updates: 'Meldingen',
  all_updates: (number) => count(number, { one: '# melding weergeven', other: 'Alle # meldingen' }),
  postmortem: 'Evaluatie',

  not_operational: (number, total) => `${number} van ${total} niet operationeel`,
  no_systems: 'Geen systemen in dit onderdeel.',
  uptime: (value) => `${percent(value)} beschikbaarheid`,
  monitored_since: (day) => `Gemonitord sinds ${day}`,
  days_ago: (days) => count(days, { one: '# dag geleden', other: '# dagen geleden' }),
  today: 'Vandaag',
  last_days: (days) => count(days, { one: 'Afgelopen dag', other: 'Afgelopen # dagen' }),
  in_last_days: (days) => count(days, { one: ' in de afgelopen dag', other: ' in de afgelopen # dagen' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? NL.status[status] : NL.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0
      ? 'geen problemen'
      : count(days, { one: '# dag met problemen', other: '# dagen met problemen' }),
  bars: (days, uptime, problems) =>
    uptime === NL.status.unknown
      ? `${NL.last_days(days)}: geen gegevens`
      : `${NL.last_days(days)}: ${uptime}, ${NL.with_problems(problems)}`,
  days_of: (name) => `${name}: dagen met problemen`,
  day: 'Dag (UTC)',
  what: 'Status',
  all_day: 'de hele dag',
  every_day: (days) => count(days, { one: '# dag weergeven', other: 'Alle # dagen' }),
  total: 'Totaal',
  share: 'Duur',
  status_column: 'Status',
  days_in_utc: 'Dagen beginnen en eindigen om middernacht UTC.',
  always_operational: (days) =>
    count(days, {
      one: 'Geen problemen in de afgelopen dag.',
      other: 'Geen problemen in de afgelopen # dagen.',
    }),

  nothing_in_month: 'Geen incidenten of onderhoud in deze maand.',
  months_navigation: 'Maanden',
  previous: 'Vorige',
  next: 'Volgende',
  to: 'tot',

  subscribe: 'Abonneren',
  footer_navigation: 'Links van deze pagina',
  languages_navigation: 'Taal',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Onderhoudskalender',
  powered_by: 'Gemaakt met Status Pages',
};
