import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_ES } from './gate.js';
import { SUBSCRIPTION_ES } from './subscription.js';

const count = countIn('es');
const percent = percentIn('es');
const inLastDays = (days: number) =>
  count(days, { one: ' en el último día', other: ' en los últimos # días' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# día con problemas', other: '# días con problemas' }),
  maintenance: (days) => count(days, { one: '# día con mantenimiento', other: '# días con mantenimiento' }),
});

/** Spanish words. */
export const ES: Translation = {
  language: 'es',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operativo',
    degraded_performance: 'Servicio degradado',
    partial_outage: 'Interrupción parcial',
    major_outage: 'Interrupción grave',
    under_maintenance: 'En mantenimiento',
    unknown: 'Sin datos',
  },
  status_in_text: {
    operational: 'operativo',
    degraded_performance: 'servicio degradado',
    partial_outage: 'interrupción parcial',
    major_outage: 'interrupción grave',
    under_maintenance: 'en mantenimiento',
    unknown: 'sin datos',
  },
  headline: {
    operational: 'Todos los sistemas funcionan con normalidad',
    some_degraded: 'Servicio degradado en algunos sistemas',
    all_degraded: 'Servicio degradado en todos los sistemas',
    partial_outage: 'Interrupción parcial',
    major_outage: 'Interrupción grave',
    maintenance: 'Mantenimiento en curso',
    some_unknown: 'Algunos sistemas no envían datos',
    all_unknown: 'Ningún sistema envía datos',
    no_monitors: 'No hay sistemas en esta página',
    open_incidents: (number) => count(number, { one: '# incidente abierto', other: '# incidentes abiertos' }),
  },
  wrong: {
    major_outage: '{names}: fuera de servicio.',
    partial_outage: '{names}: parcialmente fuera de servicio.',
    degraded_performance: '{names}: servicio degradado.',
    unknown: '{names}: sin datos.',
    under_maintenance: '{names}: en mantenimiento.',
  },
  others: (number) => `${number} más`,
  systems: (number) => count(number, { one: '# sistema', other: '# sistemas' }),
  others_operational: (number) =>
    count(number, {
      one: 'Otro sistema funciona con normalidad.',
      other: 'Otros # sistemas funcionan con normalidad.',
    }),
  all_operational: 'Todos los sistemas funcionan con normalidad.',
  no_monitors_text:
    'Esta página aún no muestra ningún sistema. Los incidentes y mantenimientos se anuncian aquí de todos modos.',
  incident_status: {
    investigating: 'En investigación',
    identified: 'Causa identificada',
    monitoring: 'En observación',
    resolved: 'Resuelto',
  },
  update_text: {
    investigating: 'Estamos investigando este incidente.',
    identified: 'Se ha identificado la causa.',
    monitoring: 'Se ha aplicado una solución. Estamos supervisando el resultado.',
    resolved: 'Este incidente se ha resuelto.',
  },
  impact: {
    minor: 'Impacto leve',
    major: 'Impacto grave',
    critical: 'Impacto crítico',
  },
  maintenance_status: {
    scheduled: 'Programado',
    in_progress: 'En curso',
    completed: 'Completado',
    cancelled: 'Cancelado',
  },

  feed: {
    title: (page) => `Estado de ${page}`,
    calendar: (page) => `Mantenimientos de ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Mantenimiento: ${title}`,
    maintenance_update: (title) => `Actualización del mantenimiento: ${title}`,
    updated_at: (time) => `Actualización del ${time}:`,
    cancelled: (title) => `Cancelado: ${title}`,
    affected: (names) => `Sistemas afectados: ${names}`,
    planned: 'Horario previsto:',
    called_off: 'Este mantenimiento se ha cancelado.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Sin nombre',
  skip: 'Ir al contenido',
  last_updated: (time) => `Última actualización: ${time}`,
  reload: 'Volver a cargar',
  out_of_date: 'Es posible que esta página no esté actualizada.',
  overview: 'Todos los sistemas',
  details: 'Detalles',

  open_incidents: 'Incidentes abiertos',
  maintenance_now: 'Mantenimiento en curso',
  planned: 'Próximos mantenimientos',
  past: 'Incidentes y mantenimientos anteriores',
  nothing_past: 'No hubo incidentes ni mantenimientos en los últimos 14 días.',
  nothing_else_past: 'No hubo otros incidentes ni mantenimientos en los últimos 14 días.',
  history: 'Historial',
  full_history: 'Historial de incidentes y mantenimientos',
  no_incidents_on: (days) => `${days}: sin incidentes notificados`,
  days_in_zone: (zone) => `Zona horaria: ${zone}`,
  more_updates: 'Todas las actualizaciones',
  affects: 'Afecta a:',
  affected: 'Sistemas afectados:',
  since: (time) => `Desde el ${time}`,
  updates: 'Actualizaciones',
  earlier_updates: (number) =>
    count(number, { one: '# actualización anterior', other: '# actualizaciones anteriores' }),
  all_updates: (number) =>
    count(number, { one: 'Ver # actualización', other: 'Todas las actualizaciones (#)' }),
  postmortem: 'Informe del incidente',

  not_operational: (number, total) =>
    count(number, { one: `# de ${total} no operativo`, other: `# de ${total} no operativos` }),
  no_systems: 'No hay sistemas en esta sección.',
  percent,
  uptime: (value) => `${percent(value)} de disponibilidad`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Supervisado desde el ${day}`,
  days_ago: (days) => count(days, { one: 'hace # día', other: 'hace # días' }),
  today: 'Hoy',
  last_days: (days) => count(days, { one: 'Último día', other: 'Últimos # días' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? ES.status[status] : ES.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Días sin datos',
  bars: (days, uptime, problems, maintenance) =>
    uptime === ES.status.unknown
      ? `${ES.last_days(days)}: sin datos`
      : `${ES.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'sin problemas')}`,
  not_monitored: 'Aún sin supervisión',
  days_of: (name) => `${name}: días con problemas`,
  day: 'Día (UTC)',
  what: 'Estado',
  all_day: 'todo el día',
  every_day: (days) => count(days, { one: 'Ver # día', other: 'Ver los # días' }),
  total: 'Resumen',
  share: 'Duración',
  response_times: 'Tiempos de respuesta',
  median: 'Mediana',
  p95: 'Percentil 95',
  status_column: 'Estado',
  uptime_counts:
    'Disponibilidad: las interrupciones parciales cuentan un 30\u00a0%; el servicio degradado y el mantenimiento no cuentan.',
  always_operational: (days) =>
    count(days, {
      one: 'No hubo problemas en el último día.',
      other: 'No hubo problemas en los últimos # días.',
    }),

  nothing_in_month: 'No hay incidentes ni mantenimientos este mes.',
  months_navigation: 'Meses',
  previous: (month) => `Anterior: ${month}`,
  next: (month) => `Siguiente: ${month}`,

  header_navigation: 'Enlaces del encabezado',
  footer_navigation: 'Enlaces del pie de página',
  website: 'Visitar el sitio web',
  support: 'Contactar con soporte',
  subscribe: 'Suscribirse',
  languages_navigation: 'Idioma',
  subscribe_title: 'Suscribirse a las actualizaciones',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text:
    'Cada actualización de un incidente o mantenimiento, en un lector de feeds o una herramienta de chat.',
  calendar: 'Calendario de mantenimientos',
  calendar_text: 'Los mantenimientos en su aplicación de calendario.',
  powered_by: 'Con la tecnología de Status Pages',
  subscription: SUBSCRIPTION_ES,
  gate: GATE_ES,
};
