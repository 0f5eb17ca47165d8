import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_PT } from './gate.js';
import { SUBSCRIPTION_PT } from './subscription.js';

const count = countIn('pt');
const percent = percentIn('pt');
const inLastDays = (days: number) => count(days, { one: ' no último dia', other: ' nos últimos # dias' });
const countDays = countDaysIn(', ', {
  problems: (days) => count(days, { one: '# dia com problemas', other: '# dias com problemas' }),
  maintenance: (days) => count(days, { one: '# dia com manutenção', other: '# dias com manutenção' }),
});

/** Portuguese words, as readers in Brazil and in Portugal both accept them where possible. */
export const PT: Translation = {
  language: 'pt',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Operacional',
    degraded_performance: 'Serviço degradado',
    partial_outage: 'Interrupção parcial',
    major_outage: 'Interrupção grave',
    under_maintenance: 'Em manutenção',
    unknown: 'Sem dados',
  },
  status_in_text: {
    operational: 'operacional',
    degraded_performance: 'serviço degradado',
    partial_outage: 'interrupção parcial',
    major_outage: 'interrupção grave',
    under_maintenance: 'em manutenção',
    unknown: 'sem dados',
  },
  headline: {
    operational: 'Todos os sistemas operacionais',
    some_degraded: 'O desempenho de alguns sistemas está degradado',
    all_degraded: 'O desempenho de todos os sistemas está degradado',
    partial_outage: 'Interrupção parcial',
    major_outage: 'Interrupção grave',
    maintenance: 'Manutenção em andamento',
    some_unknown: 'Alguns sistemas não estão enviando dados',
    all_unknown: 'Nenhum sistema está enviando dados',
    no_monitors: 'Nenhum sistema nesta página',
    open_incidents: (number) => count(number, { one: '# incidente aberto', other: '# incidentes abertos' }),
  },
  wrong: {
    major_outage: '{names}: fora do ar.',
    partial_outage: '{names}: parcialmente fora do ar.',
    degraded_performance: '{names}: serviço degradado.',
    unknown: '{names}: sem dados.',
    under_maintenance: '{names}: em manutenção.',
  },
  others: (number) => `mais ${number}`,
  systems: (number) => count(number, { one: '# sistema', other: '# sistemas' }),
  others_operational: (number) =>
    count(number, { one: 'Mais # sistema operacional.', other: 'Outros # sistemas operacionais.' }),
  all_operational: 'Todos os sistemas operacionais.',
  no_monitors_text:
    'Esta página ainda não lista nenhum sistema. Incidentes e manutenções são anunciados aqui mesmo assim.',
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
  last_updated: (time) => `Última atualização: ${time}`,
  reload: 'Recarregar',
  out_of_date: 'Esta página pode estar desatualizada.',
  overview: 'Todos os sistemas',
  details: 'Detalhes',

  open_incidents: 'Incidentes abertos',
  maintenance_now: 'Manutenção em andamento',
  planned: 'Próximas manutenções',
  past: 'Incidentes e manutenções anteriores',
  nothing_past: 'Nenhum incidente ou manutenção nos últimos 14 dias.',
  nothing_else_past: 'Nenhum outro incidente ou manutenção nos últimos 14 dias.',
  history: 'Histórico',
  full_history: 'Histórico de incidentes e manutenções',
  no_incidents_on: (days) => `${days}: nenhum incidente informado`,
  days_in_zone: (zone) => `Fuso horário: ${zone}`,
  more_updates: 'Todas as atualizações',
  affects: 'Afeta:',
  affected: 'Sistemas afetados:',
  since: (time) => `Desde ${time}`,
  updates: 'Atualizações',
  earlier_updates: (number) =>
    count(number, { one: '# atualização anterior', other: '# atualizações anteriores' }),
  all_updates: (number) => count(number, { one: 'Ver # atualização', other: 'Todas as # atualizações' }),
  postmortem: 'Relatório do incidente',

  not_operational: (number, total) =>
    count(number, { one: `# de ${total} não operacional`, other: `# de ${total} não operacionais` }),
  no_systems: 'Nenhum sistema nesta seção.',
  percent,
  uptime: (value) => `${percent(value)} de disponibilidade`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `Monitorado desde ${day}`,
  days_ago: (days) => count(days, { one: 'há # dia', other: 'há # dias' }),
  today: 'Hoje',
  last_days: (days) => count(days, { one: 'Último dia', other: 'Últimos # dias' }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? PT.status[status] : PT.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Dias sem dados',
  bars: (days, uptime, problems, maintenance) =>
    uptime === PT.status.unknown
      ? `${PT.last_days(days)}: sem dados`
      : `${PT.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'sem problemas')}`,
  not_monitored: 'Ainda não monitorado',
  days_of: (name) => `${name}: dias com problemas`,
  day: 'Dia (UTC)',
  what: 'Status',
  all_day: 'o dia todo',
  every_day: (days) => count(days, { one: 'Ver # dia', other: 'Todos os # dias' }),
  total: 'Resumo',
  share: 'Duração',
  response_times: 'Tempos de resposta',
  median: 'Mediana',
  p95: 'Percentil 95',
  status_column: 'Status',
  uptime_counts:
    'Disponibilidade: as interrupções parciais contam 30%; o serviço degradado e a manutenção não contam.',
  always_operational: (days) =>
    count(days, { one: 'Nenhum problema no último dia.', other: 'Nenhum problema nos últimos # dias.' }),

  nothing_in_month: 'Nenhum incidente ou manutenção neste mês.',
  months_navigation: 'Meses',
  previous: (month) => `Anterior: ${month}`,
  next: (month) => `Próximo: ${month}`,

  header_navigation: 'Links do cabeçalho',
  footer_navigation: 'Links do rodapé',
  website: 'Visitar o site',
  support: 'Falar com o suporte',
  subscribe: 'Assinar',
  languages_navigation: 'Idioma',
  subscribe_title: 'Receber atualizações',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text:
    'Cada atualização de um incidente ou de uma manutenção, em um leitor de feeds ou em uma ferramenta de chat.',
  calendar: 'Calendário de manutenções',
  calendar_text: 'As manutenções no seu aplicativo de calendário.',
  powered_by: 'Desenvolvido com Status Pages',
  subscription: SUBSCRIPTION_PT,
  gate: GATE_PT,
};
