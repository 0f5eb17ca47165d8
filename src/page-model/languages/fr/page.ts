import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_FR } from './gate.js';
import { SUBSCRIPTION_FR } from './subscription.js';

const count = countIn('fr');
const percent = percentIn('fr');
const inLastDays = (days: number) =>
  count(days, { one: ' au cours du dernier jour', other: ' au cours des # derniers jours' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# jour avec des problèmes', other: '# jours avec des problèmes' }),
  maintenance: (days) => count(days, { one: '# jour avec maintenance', other: '# jours avec maintenance' }),
});

/** French words. A no-break space precedes a colon. */
export const FR: Translation = {
  language: 'fr',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Opérationnel',
    degraded_performance: 'Service dégradé',
    partial_outage: 'Panne partielle',
    major_outage: 'Panne majeure',
    under_maintenance: 'En maintenance',
    unknown: 'Aucune donnée',
  },
  status_in_text: {
    operational: 'opérationnel',
    degraded_performance: 'service dégradé',
    partial_outage: 'panne partielle',
    major_outage: 'panne majeure',
    under_maintenance: 'en maintenance',
    unknown: 'aucune donnée',
  },
  headline: {
    operational: 'Tous les systèmes sont opérationnels',
    some_degraded: 'Service dégradé sur certains systèmes',
    all_degraded: 'Service dégradé sur tous les systèmes',
    partial_outage: 'Panne partielle',
    major_outage: 'Panne majeure',
    maintenance: 'Maintenance en cours',
    some_unknown: 'Certains systèmes n’envoient pas de données',
    all_unknown: 'Aucun système n’envoie de données',
    no_monitors: 'Aucun système sur cette page',
    open_incidents: (number) => count(number, { one: '# incident en cours', other: '# incidents en cours' }),
  },
  wrong: {
    major_outage: '{names}\u00a0: hors service.',
    partial_outage: '{names}\u00a0: partiellement hors service.',
    degraded_performance: '{names}\u00a0: service dégradé.',
    unknown: '{names}\u00a0: aucune donnée.',
    under_maintenance: '{names}\u00a0: en maintenance.',
  },
  others: (number) => count(number, { one: '# autre', other: '# autres' }),
  systems: (number) => count(number, { one: '# système', other: '# systèmes' }),
  others_operational: (number) =>
    count(number, { one: '# autre système opérationnel.', other: '# autres systèmes opérationnels.' }),
  all_operational: 'Tous les systèmes sont opérationnels.',
  no_monitors_text:
    'Cette page ne répertorie encore aucun système. Les incidents et les maintenances y sont tout de même annoncés.',
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
  last_updated: (time) => `Dernière mise à jour\u00a0: ${time}`,
  reload: 'Actualiser',
  out_of_date: 'Cette page n’est peut-être pas à jour.',
  overview: 'Tous les systèmes',
  details: 'Détails',

  open_incidents: 'Incidents en cours',
  maintenance_now: 'Maintenances en cours',
  planned: 'Maintenances à venir',
  past: 'Incidents et maintenances passés',
  nothing_past: 'Aucun incident ni maintenance au cours des 14 derniers jours.',
  nothing_else_past: 'Aucun autre incident ni maintenance au cours des 14 derniers jours.',
  history: 'Historique',
  full_history: 'Historique des incidents et maintenances',
  no_incidents_on: (days) => `${days}\u00a0: aucun incident signalé`,
  days_in_zone: (zone) => `Fuseau horaire\u00a0: ${zone}`,
  more_updates: 'Toutes les mises à jour',
  affects: 'Systèmes concernés\u00a0:',
  affected: 'Systèmes concernés\u00a0:',
  since: (time) => `Depuis le ${time}`,
  updates: 'Mises à jour',
  earlier_updates: (number) =>
    count(number, { one: '# mise à jour précédente', other: '# mises à jour précédentes' }),
  all_updates: (number) =>
    count(number, { one: 'Afficher # mise à jour', other: 'Toutes les mises à jour (#)' }),
  postmortem: 'Rapport d’incident',

  not_operational: (number, total) =>
    count(number, {
      one: `# système sur ${total} n’est pas opérationnel`,
      other: `# systèmes sur ${total} ne sont pas opérationnels`,
    }),
  no_systems: 'Aucun système dans cette section.',
  percent,
  uptime: (value) => `${percent(value)} de disponibilité`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Surveillé depuis le ${day}`,
  days_ago: (days) => count(days, { one: 'il y a # jour', other: 'il y a # jours' }),
  today: 'Aujourd’hui',
  last_days: (days) => count(days, { one: 'Dernier jour', other: '# derniers jours' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? FR.status[status] : FR.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Jours sans données',
  bars: (days, uptime, problems, maintenance) =>
    uptime === FR.status.unknown
      ? `${FR.last_days(days)}\u00a0: aucune donnée`
      : `${FR.last_days(days)}\u00a0: ${uptime}, ${countDays(problems, maintenance, 'aucun problème')}`,
  not_monitored: 'Pas encore surveillé',
  days_of: (name) => `${name}\u00a0: jours avec des problèmes`,
  day: 'Jour (UTC)',
  what: 'État',
  all_day: 'toute la journée',
  every_day: (days) => count(days, { one: 'Afficher # jour', other: 'Afficher les # jours' }),
  total: 'Total',
  share: 'Durée',
  response_times: 'Temps de réponse',
  median: 'Médiane',
  p95: '95e centile',
  status_column: 'État',
  uptime_counts:
    'Disponibilité\u00a0: les pannes partielles comptent pour 30\u00a0%\u00a0; le service dégradé et la maintenance ne comptent pas.',
  always_operational: (days) =>
    count(days, {
      one: 'Aucun problème au cours du dernier jour.',
      other: 'Aucun problème au cours des # derniers jours.',
    }),

  nothing_in_month: 'Aucun incident ni maintenance ce mois-ci.',
  months_navigation: 'Mois',
  previous: (month) => `Mois précédent\u00a0: ${month}`,
  next: (month) => `Mois suivant\u00a0: ${month}`,

  header_navigation: 'Liens de l’en-tête',
  footer_navigation: 'Liens du pied de page',
  website: 'Visiter le site web',
  support: 'Contacter l’assistance',
  subscribe: 'S’abonner',
  languages_navigation: 'Langue',
  subscribe_title: 'S’abonner aux mises à jour',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text:
    'Chaque mise à jour d’un incident ou d’une maintenance, dans un lecteur de flux ou un outil de discussion.',
  calendar: 'Calendrier des maintenances',
  calendar_text: 'Les maintenances dans votre application de calendrier.',
  powered_by: 'Propulsé par Status Pages',
  subscription: SUBSCRIPTION_FR,
  gate: GATE_FR,
};
