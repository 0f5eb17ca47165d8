import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('pt');
const percent = percentIn('pt');

/** Portuguese words, as readers in Brazil and in Portugal both accept them where possible. */
export const PT: Words = {
  language: 'pt',
  direction: 'ltr',
  comma: ', ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operacional',
    degraded_performance: 'Desempenho degradado',
    partial_outage: 'Interrupção parcial',
    major_outage: 'Interrupção grave',
    under_maintenance: 'Em manutenção',
    unknown: 'Sem dados',
  },
  status_in_text: {
    operational: 'operacional',
    degraded_performance: 'desempenho degradado',
    partial_outage: 'interrupção parcial',
    major_outage: 'interrupção grave',
    under_maintenance: 'em manutenção',
    unknown: 'sem dados',
  },
  headline: {
    operational: 'Todos os sistemas operacionais',
    degraded_performance: 'O desempenho de alguns sistemas está degradado',
    partial_outage: 'Interrupção parcial',
    major_outage: 'Interrupção grave',
    under_maintenance: 'Manutenção em andamento',
    unknown: 'Alguns sistemas não estão enviando dados',
  },
  open_incident_count: (number) =>
    count(number, { one: '# incidente aberto', other: '# incidentes abertos' }),
  no_systems_on_page: 'Nenhum sistema nesta página',
  incident_status: {
    investigating: 'Em investigação',
    identified: 'Causa identificada',
    monitoring: 'Em observação',
    resolved: 'Resolvido',
  },
  update_text: {
    investigating: 'Estamos investigando este incidente.',
    identified: 'A causa foi identificada.',
    monitoring: 'Uma correção foi aplicada. Estamos acompanhando o resultado.',
    resolved: 'Este incidente foi resolvido.',
  },
  impact: {
    minor: 'Impacto baixo',
    major: 'Impacto alto',
    critical: 'Impacto crítico',
  },
  maintenance_status: {
    scheduled: 'Agendada',
    in_progress: 'Em andamento',
    completed: 'Concluída',
    cancelled: 'Cancelada',
  },

  feed: {
    title: (page) => `Status: ${page}`,
    calendar: (page) => `Manutenções: ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Manutenção: ${title}`,
    maintenance_update: (title) => `Atualização da manutenção: ${title}`,
    updated_at: (time) => `Atualização de ${time}:`,
    cancelled: (title) => `Cancelada: ${title}`,
    affected: (names) => `Sistemas afetados: ${names}`,
    planned: 'Horário previsto:',
    called_off: 'Esta manutenção foi cancelada.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Sem nome',
  skip: 'Ir para o conteúdo',
  last_updated: 'Última atualização:',
  reload: 'Recarregar',
  out_of_date: 'Esta página pode estar desatualizada.',
  overview: 'Todos os sistemas',
  details: 'Detalhes',

  open_incidents: 'Incidentes abertos',
  planned: 'Manutenção',
  past: 'Incidentes e manutenções anteriores',
  nothing_past: 'Nenhum incidente ou manutenção nos últimos 14 dias.',
  nothing_else_past: 'Nenhum outro incidente ou manutenção nos últimos 14 dias.',
  history: 'Histórico',
  full_history: 'Histórico de incidentes e manutenções',
  affects: 'Afeta:',
  affected: 'Sistemas afetados:',
  since: 'Desde',
  updates: 'Atualizações',
  all_updates: (number) => count(number, { one: 'Ver # atualização', other: 'Todas as # atualizações' }),
  postmortem: 'Relatório do incidente',

  not_operational: (number, total) =>
    count(number, { one: `# de ${total} não operacional`, other: `# de ${total} não operacionais` }),
  no_systems: 'Nenhum sistema nesta seção.',
  uptime: (value) => `${percent(value)} de disponibilidade`,
  monitored_since: (day) => `Monitorado desde ${day}`,
  days_ago: (days) => count(days, { one: 'há # dia', other: 'há # dias' }),
  today: 'Hoje',
  last_days: (days) => count(days, { one: 'Último dia', other: 'Últimos # dias' }),
  in_last_days: (days) => count(days, { one: ' no último dia', other: ' nos últimos # dias' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? PT.status[status] : PT.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0 ? 'sem problemas' : count(days, { one: '# dia com problemas', other: '# dias com problemas' }),
  bars: (days, uptime, problems) =>
    uptime === PT.status.unknown
      ? `${PT.last_days(days)}: sem dados`
      : `${PT.last_days(days)}: ${uptime}, ${PT.with_problems(problems)}`,
  days_of: (name) => `${name}: dias com problemas`,
  day: 'Dia (UTC)',
  what: 'Status',
  all_day: 'o dia todo',
  every_day: (days) => count(days, { one: 'Ver # dia', other: 'Todos os # dias' }),
  total: 'Resumo',
  share: 'Duração',
  status_column: 'Status',
  days_in_utc: 'Os dias começam e terminam à meia-noite UTC.',
  always_operational: (days) =>
    count(days, { one: 'Nenhum problema no último dia.', other: 'Nenhum problema nos últimos # dias.' }),

  nothing_in_month: 'Nenhum incidente ou manutenção neste mês.',
  months_navigation: 'Meses',
  previous: 'Anterior',
  next: 'Próximo',
  to: '–',

  subscribe: 'Assinar',
  footer_navigation: 'Links da página',
  languages_navigation: 'Idioma',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Calendário de manutenções',
  powered_by: 'Desenvolvido com Status Pages',
};
