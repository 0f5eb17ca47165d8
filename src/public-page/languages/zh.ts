import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('zh');
const percent = percentIn('zh');

/** Words in Simplified Chinese. */
export const ZH: Words = {
  language: 'zh',
  direction: 'ltr',
  comma: '、',
  in_parentheses: (text) => `（${text}）`,

  status: {
    operational: '运行正常',
    degraded_performance: '性能下降',
    partial_outage: '部分中断',
    major_outage: '严重中断',
    under_maintenance: '维护中',
    unknown: '无数据',
  },
  status_in_text: {
    operational: '运行正常',
    degraded_performance: '性能下降',
    partial_outage: '部分中断',
    major_outage: '严重中断',
    under_maintenance: '维护中',
    unknown: '无数据',
  },
  headline: {
    operational: '所有系统运行正常',
    degraded_performance: '部分系统性能下降',
    partial_outage: '部分系统中断',
    major_outage: '系统严重中断',
    under_maintenance: '正在进行维护',
    unknown: '部分系统未上报数据',
  },
  open_incident_count: (number) => count(number, { other: '# 个未解决的事件' }),
  no_systems_on_page: '此页面上没有系统',
  incident_status: {
    investigating: '正在调查',
    identified: '已确定原因',
    monitoring: '正在观察',
    resolved: '已解决',
  },
  update_text: {
    investigating: '我们正在调查此事件。',
    identified: '已确定原因。',
    monitoring: '修复已实施，我们正在观察结果。',
    resolved: '此事件已解决。',
  },
  impact: {
    minor: '轻微影响',
    major: '重大影响',
    critical: '严重影响',
  },
  maintenance_status: {
    scheduled: '已计划',
    in_progress: '进行中',
    completed: '已完成',
    cancelled: '已取消',
  },

  feed: {
    title: (page) => `${page} 服务状态`,
    calendar: (page) => `${page} 维护计划`,
    update: (status, incident) => `${status}：${incident}`,
    maintenance: (title) => `维护：${title}`,
    maintenance_update: (title) => `维护更新：${title}`,
    updated_at: (time) => `${time} 的更新：`,
    cancelled: (title) => `已取消：${title}`,
    affected: (names) => `受影响的系统：${names}`,
    planned: '计划时间：',
    called_off: '此次维护已取消。',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: '未命名',
  skip: '跳到正文',
  last_updated: '最近更新：',
  reload: '重新加载',
  out_of_date: '此页面可能不是最新内容。',
  overview: '所有系统',
  details: '详细信息',

  open_incidents: '未解决的事件',
  planned: '维护',
  past: '过往事件与维护',
  nothing_past: '过去 14 天没有事件或维护。',
  nothing_else_past: '过去 14 天没有其他事件或维护。',
  history: '历史记录',
  full_history: '事件与维护历史记录',
  affects: '受影响的系统：',
  affected: '受影响的系统：',
  since: '开始时间：',
  updates: '更新',
  all_updates: (number) => count(number, { other: '查看全部 # 条更新' }),
  postmortem: '事后分析',

  not_operational: (number, total) => `${total} 个系统中有 ${number} 个未正常运行`,
  no_systems: '此部分没有系统。',
  uptime: (value) => `可用率 ${percent(value)}`,
  monitored_since: (day) => `监控开始日期：${day}`,
  days_ago: (days) => count(days, { other: '# 天前' }),
  today: '今天',
  last_days: (days) => count(days, { other: '过去 # 天' }),
  in_last_days: (days) => count(days, { other: '（过去 # 天）' }),
  status_for: (status, duration) => `${ZH.status[status]} ${duration}`,
  with_problems: (days) => (days === 0 ? '无问题' : count(days, { other: '# 天出现问题' })),
  bars: (days, uptime, problems) =>
    uptime === ZH.status.unknown
      ? `${ZH.last_days(days)}：无数据`
      : `${ZH.last_days(days)}：${uptime}，${ZH.with_problems(problems)}`,
  days_of: (name) => `${name}：出现问题的日期`,
  day: '日期 (UTC)',
  what: '状态',
  all_day: '全天',
  every_day: (days) => count(days, { other: '查看全部 # 天' }),
  total: '合计',
  share: '时长',
  status_column: '状态',
  days_in_utc: '每日起止时间为 UTC 零点。',
  always_operational: (days) => count(days, { other: '过去 # 天未出现问题。' }),

  nothing_in_month: '本月没有事件或维护。',
  months_navigation: '月份',
  previous: '上一月',
  next: '下一月',
  to: '至',

  subscribe: '订阅',
  footer_navigation: '页面链接',
  languages_navigation: '语言',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: '维护日历',
  powered_by: '由 Status Pages 提供支持',
};
