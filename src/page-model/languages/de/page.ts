import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_DE } from './gate.js';
import { SUBSCRIPTION_DE } from './subscription.js';

const count = countIn('de');
const percent = percentIn('de');
const inLastDays = (days: number) =>
  count(days, { one: ' am letzten Tag', other: ' in den letzten # Tagen' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# Tag mit Störungen', other: '# Tage mit Störungen' }),
  maintenance: (days) => count(days, { one: '# Tag mit Wartung', other: '# Tage mit Wartung' }),
});

/** German words. */
export const DE: Translation = {
  language: 'de',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Betriebsbereit',
    degraded_performance: 'Beeinträchtigt',
    partial_outage: 'Teilausfall',
    major_outage: 'Schwerer Ausfall',
    under_maintenance: 'In Wartung',
    unknown: 'Keine Daten',
  },
  status_in_text: {
    operational: 'betriebsbereit',
    degraded_performance: 'beeinträchtigt',
    partial_outage: 'Teilausfall',
    major_outage: 'schwerer Ausfall',
    under_maintenance: 'in Wartung',
    unknown: 'keine Daten',
  },
  headline: {
    operational: 'Alle Systeme betriebsbereit',
    some_degraded: 'Einige Systeme sind beeinträchtigt',
    all_degraded: 'Alle Systeme sind beeinträchtigt',
    partial_outage: 'Teilausfall',
    major_outage: 'Schwerer Ausfall',
    maintenance: 'Wartung läuft',
    some_unknown: 'Einige Systeme liefern keine Daten',
    all_unknown: 'Kein System liefert Daten',
    no_monitors: 'Keine Systeme auf dieser Seite',
    open_incidents: (number) => count(number, { one: '# offener Vorfall', other: '# offene Vorfälle' }),
  },
  wrong: {
    major_outage: '{names}: ausgefallen.',
    partial_outage: '{names}: teilweise ausgefallen.',
    degraded_performance: '{names}: beeinträchtigt.',
    unknown: '{names}: keine Daten.',
    under_maintenance: '{names}: in Wartung.',
  },
  others: (number) => count(number, { one: '# weiteres', other: '# weitere' }),
  systems: (number) => count(number, { one: '# System', other: '# Systeme' }),
  others_operational: (number) =>
    count(number, { one: '# weiteres System betriebsbereit.', other: '# weitere Systeme betriebsbereit.' }),
  all_operational: 'Alle Systeme sind betriebsbereit.',
  no_monitors_text:
    'Auf dieser Seite sind noch keine Systeme aufgeführt. Vorfälle und Wartungen werden hier trotzdem bekannt gegeben.',
  incident_status: {
    investigating: 'Wird untersucht',
    identified: 'Ursache gefunden',
    monitoring: 'Wird beobachtet',
    resolved: 'Behoben',
  },
  update_text: {
    investigating: 'Wir untersuchen diesen Vorfall.',
    identified: 'Die Ursache wurde gefunden.',
    monitoring: 'Das Problem wurde behoben. Wir beobachten das Ergebnis.',
    resolved: 'Dieser Vorfall ist behoben.',
  },
  impact: {
    minor: 'Geringe Auswirkungen',
    major: 'Erhebliche Auswirkungen',
    critical: 'Kritische Auswirkungen',
  },
  maintenance_status: {
    scheduled: 'Geplant',
    in_progress: 'Läuft',
    completed: 'Abgeschlossen',
    cancelled: 'Abgesagt',
  },

  feed: {
    title: (page) => `Status: ${page}`,
    calendar: (page) => `Wartungen: ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Wartung: ${title}`,
    maintenance_update: (title) => `Neues zur Wartung: ${title}`,
    updated_at: (time) => `Neues vom ${time}:`,
    cancelled: (title) => `Abgesagt: ${title}`,
    affected: (names) => `Betroffen: ${names}`,
    planned: 'Geplant:',
    called_off: 'Diese Wartung wurde abgesagt.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Ohne Namen',
  skip: 'Zum Inhalt springen',
  last_updated: (time) => `Zuletzt aktualisiert: ${time}`,
  reload: 'Neu laden',
  out_of_date: 'Diese Seite ist möglicherweise nicht aktuell.',
  overview: 'Alle Systeme',
  details: 'Details',

  open_incidents: 'Offene Vorfälle',
  maintenance_now: 'Laufende Wartungen',
  planned: 'Geplante Wartungen',
  past: 'Frühere Vorfälle und Wartungen',
  nothing_past: 'Keine Vorfälle oder Wartungen in den letzten 14 Tagen.',
  nothing_else_past: 'Keine weiteren Vorfälle oder Wartungen in den letzten 14 Tagen.',
  history: 'Verlauf',
  full_history: 'Alle Vorfälle und Wartungen',
  no_incidents_on: (days) => `${days}: keine Vorfälle gemeldet`,
  days_in_zone: (zone) => `Zeitzone: ${zone}`,
  more_updates: 'Alle Meldungen',
  affects: 'Betrifft:',
  affected: 'Betroffen:',
  since: (time) => `Seit ${time}`,
  updates: 'Meldungen',
  earlier_updates: (number) => count(number, { one: '# frühere Meldung', other: '# frühere Meldungen' }),
  all_updates: (number) => count(number, { one: '# Meldung anzeigen', other: 'Alle # Meldungen' }),
  postmortem: 'Abschlussbericht',

  not_operational: (number, total) => `${number} von ${total} nicht betriebsbereit`,
  no_systems: 'Keine Systeme in diesem Abschnitt.',
  percent,
  uptime: (value) => `${percent(value)} Verfügbarkeit`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Überwacht seit ${day}`,
  days_ago: (days) => count(days, { one: 'vor # Tag', other: 'vor # Tagen' }),
  today: 'Heute',
  last_days: (days) => count(days, { one: 'Letzter Tag', other: 'Letzte # Tage' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? DE.status[status] : DE.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Tage ohne Daten',
  bars: (days, uptime, problems, maintenance) =>
    uptime === DE.status.unknown
      ? `${DE.last_days(days)}: keine Daten`
      : `${DE.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'keine Störungen')}`,
  not_monitored: 'Noch nicht überwacht',
  days_of: (name) => `${name}: Tage mit Störungen`,
  day: 'Tag (UTC)',
  what: 'Status',
  all_day: 'ganztägig',
  every_day: (days) => count(days, { one: '# Tag anzeigen', other: 'Alle # Tage' }),
  total: 'Gesamt',
  share: 'Dauer',
  response_times: 'Antwortzeiten',
  median: 'Median',
  p95: '95. Perzentil',
  status_column: 'Status',
  uptime_counts:
    'Verfügbarkeit: Teilausfälle zählen zu 30\u00a0%, Beeinträchtigungen und Wartungen zählen nicht.',
  always_operational: (days) =>
    count(days, { one: 'Keine Störungen am letzten Tag.', other: 'Keine Störungen in den letzten # Tagen.' }),

  nothing_in_month: 'Keine Vorfälle oder Wartungen in diesem Monat.',
  months_navigation: 'Monate',
  previous: (month) => `Früher: ${month}`,
  next: (month) => `Später: ${month}`,

  header_navigation: 'Links in der Kopfzeile',
  footer_navigation: 'Links in der Fußzeile',
  website: 'Zur Website',
  support: 'Support kontaktieren',
  subscribe: 'Abonnieren',
  languages_navigation: 'Sprache',
  subscribe_title: 'Meldungen abonnieren',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'Jede Meldung zu Vorfällen und Wartungen, im Feedreader oder im Chat-Tool.',
  calendar: 'Wartungskalender',
  calendar_text: 'Wartungsfenster in Ihrer Kalender-App.',
  powered_by: 'Erstellt mit Status Pages',
  subscription: SUBSCRIPTION_DE,
  gate: GATE_DE,
};
