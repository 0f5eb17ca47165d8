import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_IT } from './gate.js';
import { SUBSCRIPTION_IT } from './subscription.js';

const count = countIn('it');
const percent = percentIn('it');
const inLastDays = (days: number) =>
  count(days, { one: ' nell’ultimo giorno', other: ' negli ultimi # giorni' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# giorno con problemi', other: '# giorni con problemi' }),
  maintenance: (days) =>
    count(days, { one: '# giorno con manutenzione', other: '# giorni con manutenzione' }),
});

/** Italian words. */
export const IT: Translation = {
  language: 'it',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operativo',
    degraded_performance: 'Prestazioni ridotte',
    partial_outage: 'Interruzione parziale',
    major_outage: 'Interruzione grave',
    under_maintenance: 'In manutenzione',
    unknown: 'Nessun dato',
  },
  status_in_text: {
    operational: 'operativo',
    degraded_performance: 'prestazioni ridotte',
    partial_outage: 'interruzione parziale',
    major_outage: 'interruzione grave',
    under_maintenance: 'in manutenzione',
    unknown: 'nessun dato',
  },
  headline: {
    operational: 'Tutti i sistemi sono operativi',
    some_degraded: 'Alcuni sistemi hanno prestazioni ridotte',
    all_degraded: 'Tutti i sistemi hanno prestazioni ridotte',
    partial_outage: 'Interruzione parziale',
    major_outage: 'Interruzione grave',
    maintenance: 'Manutenzione in corso',
    some_unknown: 'Alcuni sistemi non inviano dati',
    all_unknown: 'Nessun sistema invia dati',
    no_monitors: 'Nessun sistema in questa pagina',
    open_incidents: (number) => count(number, { one: '# incidente aperto', other: '# incidenti aperti' }),
  },
  wrong: {
    major_outage: '{names}: fuori servizio.',
    partial_outage: '{names}: parzialmente fuori servizio.',
    degraded_performance: '{names}: prestazioni ridotte.',
    unknown: '{names}: nessun dato.',
    under_maintenance: '{names}: in manutenzione.',
  },
  others: (number) => count(number, { one: '# altro', other: 'altri #' }),
  systems: (number) => count(number, { one: '# sistema', other: '# sistemi' }),
  others_operational: (number) =>
    count(number, { one: '# altro sistema operativo.', other: 'Altri # sistemi operativi.' }),
  all_operational: 'Tutti i sistemi sono operativi.',
  no_monitors_text:
    'Questa pagina non elenca ancora alcun sistema. Incidenti e manutenzioni vengono comunque annunciati qui.',
  incident_status: {
    investigating: 'In fase di analisi',
    identified: 'Causa individuata',
    monitoring: 'In osservazione',
    resolved: 'Risolto',
  },
  update_text: {
    investigating: 'Stiamo analizzando questo incidente.',
    identified: 'La causa è stata individuata.',
    monitoring: 'È stata applicata una correzione. Stiamo verificando il risultato.',
    resolved: 'Questo incidente è stato risolto.',
  },
  impact: {
    minor: 'Impatto lieve',
    major: 'Impatto grave',
    critical: 'Impatto critico',
  },
  maintenance_status: {
    scheduled: 'Pianificata',
    in_progress: 'In corso',
    completed: 'Completata',
    cancelled: 'Annullata',
  },

  feed: {
    title: (page) => `Stato di ${page}`,
    calendar: (page) => `Manutenzioni di ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Manutenzione: ${title}`,
    maintenance_update: (title) => `Aggiornamento sulla manutenzione: ${title}`,
    updated_at: (time) => `Aggiornamento del ${time}:`,
    cancelled: (title) => `Annullata: ${title}`,
    affected: (names) => `Sistemi interessati: ${names}`,
    planned: 'Orario previsto:',
    called_off: 'Questa manutenzione è stata annullata.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Senza nome',
  skip: 'Vai al contenuto',
  last_updated: (time) => `Ultimo aggiornamento: ${time}`,
  reload: 'Ricarica',
  out_of_date: 'Questa pagina potrebbe non essere aggiornata.',
  overview: 'Tutti i sistemi',
  details: 'Dettagli',

  open_incidents: 'Incidenti aperti',
  maintenance_now: 'Manutenzione in corso',
  planned: 'Prossime manutenzioni',
  past: 'Incidenti e manutenzioni precedenti',
  nothing_past: 'Nessun incidente o manutenzione negli ultimi 14 giorni.',
  nothing_else_past: 'Nessun altro incidente o manutenzione negli ultimi 14 giorni.',
  history: 'Cronologia',
  full_history: 'Cronologia di incidenti e manutenzioni',
  no_incidents_on: (days) => `${days}: nessun incidente segnalato`,
  days_in_zone: (zone) => `Fuso orario: ${zone}`,
  more_updates: 'Tutti gli aggiornamenti',
  affects: 'Sistemi interessati:',
  affected: 'Sistemi interessati:',
  since: (time) => `Dal ${time}`,
  updates: 'Aggiornamenti',
  earlier_updates: (number) =>
    count(number, { one: '# aggiornamento precedente', other: '# aggiornamenti precedenti' }),
  all_updates: (number) => count(number, { one: 'Mostra # aggiornamento', other: 'Tutti i # aggiornamenti' }),
  postmortem: 'Rapporto sull’incidente',

  not_operational: (number, total) =>
    count(number, { one: `# su ${total} non operativo`, other: `# su ${total} non operativi` }),
  no_systems: 'Nessun sistema in questa sezione.',
  percent,
  uptime: (value) => `${percent(value)} di disponibilità`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Monitorato dal ${day}`,
  days_ago: (days) => count(days, { one: '# giorno fa', other: '# giorni fa' }),
  today: 'Oggi',
  last_days: (days) => count(days, { one: 'Ultimo giorno', other: 'Ultimi # giorni' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? IT.status[status] : IT.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Giorni senza dati',
  bars: (days, uptime, problems, maintenance) =>
    uptime === IT.status.unknown
      ? `${IT.last_days(days)}: nessun dato`
      : `${IT.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'nessun problema')}`,
  not_monitored: 'Non ancora monitorato',
  days_of: (name) => `${name}: giorni con problemi`,
  day: 'Giorno (UTC)',
  what: 'Stato',
  all_day: 'tutto il giorno',
  every_day: (days) => count(days, { one: 'Mostra # giorno', other: 'Tutti i # giorni' }),
  total: 'Totale',
  share: 'Durata',
  response_times: 'Tempi di risposta',
  median: 'Mediana',
  p95: '95º percentile',
  status_column: 'Stato',
  uptime_counts:
    'Disponibilità: le interruzioni parziali contano per il 30%; prestazioni ridotte e manutenzione non contano.',
  always_operational: (days) =>
    count(days, {
      one: 'Nessun problema nell’ultimo giorno.',
      other: 'Nessun problema negli ultimi # giorni.',
    }),

  nothing_in_month: 'Nessun incidente o manutenzione in questo mese.',
  months_navigation: 'Mesi',
  previous: (month) => `Precedente: ${month}`,
  next: (month) => `Successivo: ${month}`,

  header_navigation: 'Link dell’intestazione',
  footer_navigation: 'Link a piè di pagina',
  website: 'Visita il sito web',
  support: 'Contatta l’assistenza',
  subscribe: 'Iscriviti',
  languages_navigation: 'Lingua',
  subscribe_title: 'Iscriviti agli aggiornamenti',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text:
    'Ogni aggiornamento di un incidente o di una manutenzione, in un lettore di feed o in uno strumento di chat.',
  calendar: 'Calendario delle manutenzioni',
  calendar_text: 'Le manutenzioni nella tua app di calendario.',
  powered_by: 'Realizzato con Status Pages',
  subscription: SUBSCRIPTION_IT,
  gate: GATE_IT,
};
