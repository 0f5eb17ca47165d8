import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('de');
const percent = percentIn('de');

/** German words. */
export const DE: Words = {
  language: 'de',
  direction: 'ltr',
  comma: ', ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Betriebsbereit',
    degraded_performance: 'Eingeschränkte Leistung',
    partial_outage: 'Teilausfall',
    major_outage: 'Schwerer Ausfall',
    under_maintenance: 'In Wartung',
    unknown: 'Keine Daten',
  },
  status_in_text: {
    operational: 'betriebsbereit',
    degraded_performance: 'eingeschränkte Leistung',
    partial_outage: 'Teilausfall',
    major_outage: 'schwerer Ausfall',
    under_maintenance: 'in Wartung',
    unknown: 'keine Daten',
  },
  headline: {
    operational: 'Alle Systeme betriebsbereit',
    degraded_performance: 'Einige Systeme sind beeinträchtigt',
    partial_outage: 'Teilausfall',
    major_outage: 'Schwerer Ausfall',
    under_maintenance: 'Wartung läuft',
    unknown: 'Einige Systeme liefern keine Daten',
  },
  open_incident_count: (number) => count(number, { one: '# offener Vorfall', other: '# offene Vorfälle' }),
  no_systems_on_page: 'Keine Systeme auf dieser Seite',
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
  last_updated: 'Zuletzt aktualisiert:',
  reload: 'Neu laden',
  out_of_date: 'Diese Seite ist möglicherweise nicht aktuell.',
  overview: 'Alle Systeme',
  details: 'Einzelheiten',

  open_incidents: 'Offene Vorfälle',
  planned: 'Wartungen',
  past: 'Frühere Vorfälle und Wartungen',
  nothing_past: 'Keine Vorfälle oder Wartungen in den letzten 14 Tagen.',
  nothing_else_past: 'Keine weiteren Vorfälle oder Wartungen in den letzten 14 Tagen.',
  history: 'Verlauf',
  full_history: 'Alle Vorfälle und Wartungen',
  affects: 'Betrifft:',
  affected: 'Betroffen:',
  since: 'Seit',
  updates: 'Meldungen',
  all_updates: (number) => count(number, { one: '# Meldung anzeigen', other: 'Alle # Meldungen' }),
  postmortem: 'Abschlussbericht',

  not_operational: (number, total) => `${number} von ${total} nicht betriebsbereit`,
  no_systems: 'Keine Systeme in diesem Abschnitt.',
  uptime: (value) => `${percent(value)} Verfügbarkeit`,
  monitored_since: (day) => `Überwacht seit ${day}`,
  days_ago: (days) => count(days, { one: 'vor # Tag', other: 'vor # Tagen' }),
  today: 'Heute',
  last_days: (days) => count(days, { one: 'Letzter Tag', other: 'Letzte # Tage' }),
  in_last_days: (days) => count(days, { one: ' am letzten Tag', other: ' in den letzten # Tagen' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? DE.status[status] : DE.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0
      ? 'keine Störungen'
      : count(days, { one: '# Tag mit Störungen', other: '# Tage mit Störungen' }),
  bars: (days, uptime, problems) =>
    uptime === DE.status.unknown
      ? `${DE.last_days(days)}: keine Daten`
      : `${DE.last_days(days)}: ${uptime}, ${DE.with_problems(problems)}`,
  days_of: (name) => `${name}: Tage mit Störungen`,
  day: 'Tag (UTC)',
  what: 'Status',
  all_day: 'ganztägig',
  every_day: (days) => count(days, { one: '# Tag anzeigen', other: 'Alle # Tage' }),
  total: 'Gesamt',
  share: 'Dauer',
  status_column: 'Status',
  days_in_utc: 'Tage beginnen und enden um Mitternacht UTC.',
  always_operational: (days) =>
    count(days, { one: 'Keine Störungen am letzten Tag.', other: 'Keine Störungen in den letzten # Tagen.' }),

  nothing_in_month: 'Keine Vorfälle oder Wartungen in diesem Monat.',
  months_navigation: 'Monate',
  previous: 'Früher',
  next: 'Später',
  to: 'bis',

  subscribe: 'Abonnieren',
  footer_navigation: 'Links dieser Seite',
  languages_navigation: 'Sprache',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Wartungskalender',
  powered_by: 'Erstellt mit Status Pages',
};
