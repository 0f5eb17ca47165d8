import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('it');
const percent = percentIn('it');

/** Italian words. */
export const IT: Words = {
  language: 'it',
  direction: 'ltr',
  comma: ', ',
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
    degraded_performance: 'Alcuni sistemi hanno prestazioni ridotte',
    partial_outage: 'Interruzione parziale',
    major_outage: 'Interruzione grave',
    under_maintenance: 'Manutenzione in corso',
    unknown: 'Alcuni sistemi non inviano dati',
  },
  open_incident_count: (number) => count(number, { one: '# incidente aperto', other: '# incidenti aperti' }),
  no_systems_on_page: 'Nessun sistema in questa pagina',
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
  last_updated: 'Ultimo aggiornamento:',
  reload: 'Ricarica',
  out_of_date: 'Questa pagina potrebbe non essere aggiornata.',
  overview: 'Tutti i sistemi',
  details: 'Dettagli',

  open_incidents: 'Incidenti aperti',
  planned: 'Manutenzione',
  past: 'Incidenti e manutenzioni precedenti',
  nothing_past: 'Nessun incidente o manutenzione negli ultimi 14 giorni.',
  nothing_else_past: 'Nessun altro incidente o manutenzione negli ultimi 14 giorni.',
  history: 'Cronologia',
  full_history: 'Cronologia di incidenti e manutenzioni',
  affects: 'Sistemi interessati:',
  affected: 'Sistemi interessati:',
  since: 'Dal',
  updates: 'Aggiornamenti',
  all_updates: (number) => count(number, { one: 'Mostra # aggiornamento', other: 'Tutti i # aggiornamenti' }),
  postmortem: 'Rapporto sull’incidente',

  not_operational: (number, total) =>
    count(number, { one: `# su ${total} non operativo`, other: `# su ${total} non operativi` }),
  no_systems: 'Nessun sistema in questa sezione.',
  uptime: (value) => `${percent(value)} di disponibilità`,
  monitored_since: (day) => `Monitorato dal ${day}`,
  days_ago: (days) => count(days, { one: '# giorno fa', other: '# giorni fa' }),
  today: 'Oggi',
  last_days: (days) => count(days, { one: 'Ultimo giorno', other: 'Ultimi # giorni' }),
  in_last_days: (days) => count(days, { one: ' nell’ultimo giorno', other: ' negli ultimi # giorni' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? IT.status[status] : IT.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0
      ? 'nessun problema'
      : count(days, { one: '# giorno con problemi', other: '# giorni con problemi' }),
  bars: (days, uptime, problems) =>
    uptime === IT.status.unknown
      ? `${IT.last_days(days)}: nessun dato`
      : `${IT.last_days(days)}: ${uptime}, ${IT.with_problems(problems)}`,
  days_of: (name) => `${name}: giorni con problemi`,
  day: 'Giorno (UTC)',
  what: 'Stato',
  all_day: 'tutto il giorno',
  every_day: (days) => count(days, { one: 'Mostra # giorno', other: 'Tutti i # giorni' }),
  total: 'Totale',
  share: 'Durata',
  status_column: 'Stato',
  days_in_utc: 'I giorni iniziano e finiscono a mezzanotte UTC.',
  always_operational: (days) =>
    count(days, {
      one: 'Nessun problema nell’ultimo giorno.',
      other: 'Nessun problema negli ultimi # giorni.',
    }),

  nothing_in_month: 'Nessun incidente o manutenzione in questo mese.',
  months_navigation: 'Mesi',
  previous: 'Precedente',
  next: 'Successivo',
  to: '–',

  subscribe: 'Iscriviti',
  footer_navigation: 'Link della pagina',
  languages_navigation: 'Lingua',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Calendario delle manutenzioni',
  powered_by: 'Realizzato con Status Pages',
};
