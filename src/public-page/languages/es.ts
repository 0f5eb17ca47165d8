import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('es');
const percent = percentIn('es');

/** Spanish words. */
export const ES: Words = {
  language: 'es',
  direction: 'ltr',
  comma: ', ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operativo',
    degraded_performance: 'Rendimiento degradado',
    partial_outage: 'Interrupción parcial',
    major_outage: 'Interrupción grave',
    under_maintenance: 'En mantenimiento',
    unknown: 'Sin datos',
  },
  status_in_text: {
    operational: 'operativo',
    degraded_performance: 'rendimiento degradado',
    partial_outage: 'interrupción parcial',
    major_outage: 'interrupción grave',
    under_maintenance: 'en mantenimiento',
    unknown: 'sin datos',
  },
  headline: {
    operational: 'Todos los sistemas funcionan con normalidad',
    degraded_performance: 'El rendimiento de algunos sistemas está degradado',
    partial_outage: 'Interrupción parcial',
    major_outage: 'Interrupción grave',
    under_maintenance: 'Mantenimiento en curso',
    unknown: 'Algunos sistemas no envían datos',
  },
  open_incident_count: (number) =>
    count(number, { one: '# incidente abierto', other: '# incidentes abiertos' }),
  no_systems_on_page: 'No hay sistemas en esta página',
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
  last_updated: 'Última actualización:',
  reload: 'Volver a cargar',
  out_of_date: 'Es posible que esta página no esté actualizada.',
  overview: 'Todos los sistemas',
  details: 'Detalles',

  open_incidents: 'Incidentes abiertos',
  planned: 'Mantenimiento',
  past: 'Incidentes y mantenimientos anteriores',
  nothing_past: 'No hubo incidentes ni mantenimientos en los últimos 14 días.',
  nothing_else_past: 'No hubo otros incidentes ni mantenimientos en los últimos 14 días.',
  history: 'Historial',
  full_history: 'Historial de incidentes y mantenimientos',
  affects: 'Afecta a:',
  affected: 'Sistemas afectados:',
  since: 'Desde el',
  updates: 'Actualizaciones',
  all_updates: (number) => count(number, { one: 'Ver # actualización', other: 'Las # actualizaciones' }),
  postmortem: 'Informe del incidente',

  not_operational: (number, total) =>
    count(number, { one: `# de ${total} no operativo`, other: `# de ${total} no operativos` }),
  no_systems: 'No hay sistemas en esta sección.',
  uptime: (value) => `${percent(value)} de disponibilidad`,
  monitored_since: (day) => `Supervisado desde el ${day}`,
  days_ago: (days) => count(days, { one: 'hace # día', other: 'hace # días' }),
  today: 'Hoy',
  last_days: (days) => count(days, { one: 'Último día', other: 'Últimos # días' }),
  in_last_days: (days) => count(days, { one: ' en el último día', other: ' en los últimos # días' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? ES.status[status] : ES.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0 ? 'sin problemas' : count(days, { one: '# día con problemas', other: '# días con problemas' }),
  bars: (days, uptime, problems) =>
    uptime === ES.status.unknown
      ? `${ES.last_days(days)}: sin datos`
      : `${ES.last_days(days)}: ${uptime}, ${ES.with_problems(problems)}`,
  days_of: (name) => `${name}: días con problemas`,
  day: 'Día (UTC)',
  what: 'Estado',
  all_day: 'todo el día',
  every_day: (days) => count(days, { one: 'Ver # día', other: 'Los # días' }),
  total: 'Resumen',
  share: 'Duración',
  status_column: 'Estado',
  days_in_utc: 'Los días empiezan y terminan a medianoche UTC.',
  always_operational: (days) =>
    count(days, {
      one: 'No hubo problemas en el último día.',
      other: 'No hubo problemas en los últimos # días.',
    }),

  nothing_in_month: 'No hay incidentes ni mantenimientos este mes.',
  months_navigation: 'Meses',
  previous: 'Anterior',
  next: 'Siguiente',
  to: '–',

  subscribe: 'Suscribirse',
  footer_navigation: 'Enlaces de la página',
  languages_navigation: 'Idioma',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Calendario de mantenimientos',
  powered_by: 'Con la tecnología de Status Pages',
};
