import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('fr');
const percent = percentIn('fr');

/** French words. A no-break space precedes a colon. */
export const FR: Words = {
  language: 'fr',
  direction: 'ltr',
  comma: ', ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Opérationnel',
    degraded_performance: 'Performances dégradées',
    partial_outage: 'Panne partielle',
    major_outage: 'Panne majeure',
    under_maintenance: 'En maintenance',
    unknown: 'Aucune donnée',
  },
  status_in_text: {
    operational: 'opérationnel',
    degraded_performance: 'performances dégradées',
    partial_outage: 'panne partielle',
    major_outage: 'panne majeure',
    under_maintenance: 'en maintenance',
    unknown: 'aucune donnée',
  },
  headline: {
    operational: 'Tous les systèmes sont opérationnels',
    degraded_performance: 'Certains systèmes sont dégradés',
    partial_outage: 'Panne partielle',
    major_outage: 'Panne majeure',
    under_maintenance: 'Maintenance en cours',
    unknown: 'Certains systèmes n’envoient pas de données',
  },
  open_incident_count: (number) =>
    count(number, { one: '# incident en cours', other: '# incidents en cours' }),
  no_systems_on_page: 'Aucun système sur cette page',
  incident_status: {
    investigating: 'Analyse en cours',
    identified: 'Cause identifiée',
    monitoring: 'Sous surveillance',
    resolved: 'Résolu',
  },
  update_text: {
    investigating: 'Nous analysons cet incident.',
    identified: 'La cause a été identifiée.',
    monitoring: 'Un correctif est en place. Nous surveillons le résultat.',
    resolved: 'Cet incident est résolu.',
  },
  impact: {
    minor: 'Impact mineur',
    major: 'Impact majeur',
    critical: 'Impact critique',
  },
  maintenance_status: {
    scheduled: 'Planifiée',
    in_progress: 'En cours',
    completed: 'Terminée',
    cancelled: 'Annulée',
  },

  feed: {
    title: (page) => `État des services\u00a0: ${page}`,
    calendar: (page) => `Maintenances\u00a0: ${page}`,
    update: (status, incident) => `${status}\u00a0: ${incident}`,
    maintenance: (title) => `Maintenance\u00a0: ${title}`,
    maintenance_update: (title) => `Mise à jour de la maintenance\u00a0: ${title}`,
    updated_at: (time) => `Mise à jour du ${time}\u00a0:`,
    cancelled: (title) => `Annulée\u00a0: ${title}`,
    affected: (names) => `Systèmes concernés\u00a0: ${names}`,
    planned: 'Horaire prévu\u00a0:',
    called_off: 'Cette maintenance a été annulée.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Sans nom',
  skip: 'Aller au contenu',
  last_updated: 'Dernière mise à jour\u00a0:',
  reload: 'Actualiser',
  out_of_date: 'Cette page n’est peut-être pas à jour.',
  overview: 'Tous les systèmes',
  details: 'Détails',

  open_incidents: 'Incidents en cours',
  planned: 'Maintenances',
  past: 'Incidents et maintenances passés',
  nothing_past: 'Aucun incident ni maintenance au cours des 14 derniers jours.',
  nothing_else_past: 'Aucun autre incident ni maintenance au cours des 14 derniers jours.',
  history: 'Historique',
  full_history: 'Historique des incidents et maintenances',
  affects: 'Systèmes concernés\u00a0:',
  affected: 'Systèmes concernés\u00a0:',
  since: 'Depuis le',
  updates: 'Mises à jour',
  all_updates: (number) => count(number, { one: 'Afficher # mise à jour', other: 'Les # mises à jour' }),
  postmortem: 'Rapport d’incident',

  not_operational: (number, total) =>
    count(number, {
      one: `# système sur ${total} n’est pas opérationnel`,
      other: `# systèmes sur ${total} ne sont pas opérationnels`,
    }),
  no_systems: 'Aucun système dans cette section.',
  uptime: (value) => `${percent(value)} de disponibilité`,
  monitored_since: (day) => `Surveillé depuis le ${day}`,
  days_ago: (days) => count(days, { one: 'il y a # jour', other: 'il y a # jours' }),
  today: 'Aujourd’hui',
  last_days: (days) => count(days, { one: 'Dernier jour', other: '# derniers jours' }),
  in_last_days: (days) =>
    count(days, { one: ' au cours du dernier jour', other: ' au cours des # derniers jours' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? FR.status[status] : FR.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0
      ? 'aucun problème'
      : count(days, { one: '# jour avec des problèmes', other: '# jours avec des problèmes' }),
  bars: (days, uptime, problems) =>
    uptime === FR.status.unknown
      ? `${FR.last_days(days)}\u00a0: aucune donnée`
      : `${FR.last_days(days)}\u00a0: ${uptime}, ${FR.with_problems(problems)}`,
  days_of: (name) => `${name}\u00a0: jours avec des problèmes`,
  day: 'Jour (UTC)',
  what: 'État',
  all_day: 'toute la journée',
  every_day: (days) => count(days, { one: 'Afficher # jour', other: 'Les # jours' }),
  total: 'Total',
  share: 'Durée',
  status_column: 'État',
  days_in_utc: 'Les jours commencent et se terminent à minuit UTC.',
  always_operational: (days) =>
    count(days, {
      one: 'Aucun problème au cours du dernier jour.',
      other: 'Aucun problème au cours des # derniers jours.',
    }),

  nothing_in_month: 'Aucun incident ni maintenance ce mois-ci.',
  months_navigation: 'Mois',
  previous: 'Mois précédent',
  next: 'Mois suivant',
  to: '–',

  subscribe: 'S’abonner',
  footer_navigation: 'Liens de la page',
  languages_navigation: 'Langue',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Calendrier des maintenances',
  powered_by: 'Propulsé par Status Pages',
};
