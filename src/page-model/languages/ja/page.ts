import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_JA } from './gate.js';
import { SUBSCRIPTION_JA } from './subscription.js';

const count = countIn('ja');
const percent = percentIn('ja');
const inLastDays = (days: number) => count(days, { other: '（過去#日間）' });
const countDays = countDaysIn('、', {
  problems: (days) => count(days, { other: '問題のあった日：#日' }),
  maintenance: (days) => count(days, { other: 'メンテナンスのあった日：#日' }),
});

/** Japanese words. */
export const JA: Translation = {
  language: 'ja',
  direction: 'ltr',
  comma: '、',
  space: '',
  in_parentheses: (text) => `（${text}）`,

  status: {
    operational: '正常稼働中',
    degraded_performance: 'パフォーマンス低下',
    partial_outage: '一部停止',
    major_outage: '大規模障害',
    under_maintenance: 'メンテナンス中',
    unknown: 'データなし',
  },
  status_in_text: {
    operational: '正常稼働中',
    degraded_performance: 'パフォーマンス低下',
    partial_outage: '一部停止',
    major_outage: '大規模障害',
    under_maintenance: 'メンテナンス中',
    unknown: 'データなし',
  },
  headline: {
    operational: 'すべてのシステムが正常に稼働しています',
    some_degraded: '一部のシステムでパフォーマンスが低下しています',
    all_degraded: 'すべてのシステムでパフォーマンスが低下しています',
    partial_outage: '一部のシステムが停止しています',
    major_outage: '大規模な障害が発生しています',
    maintenance: 'メンテナンスを実施しています',
    some_unknown: '一部のシステムからデータが届いていません',
    all_unknown: 'どのシステムからもデータが届いていません',
    no_monitors: 'このページにシステムはありません',
    open_incidents: (number) => count(number, { other: '未解決のインシデント：#件' }),
  },
  wrong: {
    major_outage: '{names}：停止しています。',
    partial_outage: '{names}：一部停止しています。',
    degraded_performance: '{names}：パフォーマンスが低下しています。',
    unknown: '{names}：データが届いていません。',
    under_maintenance: '{names}：メンテナンス中です。',
  },
  others: (number) => count(number, { other: '他#件' }),
  systems: (number) => count(number, { other: '#件のシステム' }),
  others_operational: (number) => count(number, { other: '他の#件は正常に稼働しています。' }),
  all_operational: 'すべてのシステムが正常に稼働しています。',
  no_monitors_text:
    'このページにはまだシステムが登録されていません。インシデントとメンテナンスの情報はこのページに掲載されます。',
  incident_status: {
    investigating: '調査中',
    identified: '原因特定済み',
    monitoring: '経過観察中',
    resolved: '解決済み',
  },
  update_text: {
    investigating: 'このインシデントを調査しています。',
    identified: '原因を特定しました。',
    monitoring: '修正を適用しました。経過を観察しています。',
    resolved: 'このインシデントは解決しました。',
  },
  impact: {
    minor: '軽微な影響',
    major: '大きな影響',
    critical: '重大な影響',
  },
  maintenance_status: {
    scheduled: '予定',
    in_progress: '実施中',
    completed: '完了',
    cancelled: '中止',
  },

  feed: {
    title: (page) => `${page} の稼働状況`,
    calendar: (page) => `${page} のメンテナンス`,
    update: (status, incident) => `${status}：${incident}`,
    maintenance: (title) => `メンテナンス：${title}`,
    maintenance_update: (title) => `メンテナンスの更新：${title}`,
    updated_at: (time) => `${time} の更新：`,
    cancelled: (title) => `中止：${title}`,
    affected: (names) => `影響対象：${names}`,
    planned: '予定日時：',
    called_off: 'このメンテナンスは中止になりました。',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: '名称なし',
  skip: '本文へ移動',
  last_updated: (time) => `最終更新：${time}`,
  reload: '再読み込み',
  out_of_date: 'このページは最新ではない可能性があります。',
  overview: 'すべてのシステム',
  details: '詳細',

  open_incidents: '未解決のインシデント',
  maintenance_now: '実施中のメンテナンス',
  planned: '予定されているメンテナンス',
  past: '過去のインシデントとメンテナンス',
  nothing_past: '過去14日間にインシデントとメンテナンスはありません。',
  nothing_else_past: '過去14日間に、ほかのインシデントとメンテナンスはありません。',
  history: '履歴',
  full_history: 'インシデントとメンテナンスの履歴',
  no_incidents_on: (days) => `${days}：報告されたインシデントはありません`,
  days_in_zone: (zone) => `タイムゾーン：${zone}`,
  more_updates: 'すべての更新情報',
  affects: '影響対象：',
  affected: '影響対象：',
  since: (time) => `開始：${time}`,
  updates: '更新情報',
  earlier_updates: (number) => count(number, { other: '以前の更新情報（#件）' }),
  all_updates: (number) => count(number, { other: '更新情報をすべて表示（#件）' }),
  postmortem: '事後報告',

  not_operational: (number, total) => `${total}件中${number}件が正常稼働していません`,
  no_systems: 'このセクションにシステムはありません。',
  percent,
  uptime: (value) => `稼働率 ${percent(value)}`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
  monitored_since: (day) => `監視開始日：${day}`,
  days_ago: (days) => count(days, { other: '#日前' }),
  today: '今日',
  last_days: (days) => count(days, { other: '過去#日間' }),
  status_for: (status, duration) => `${JA.status[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'データのない日',
  bars: (days, uptime, problems, maintenance) =>
    uptime === JA.status.unknown
      ? `${JA.last_days(days)}：データなし`
      : `${JA.last_days(days)}：${uptime}、${countDays(problems, maintenance, '問題なし')}`,
  not_monitored: '監視開始前',
  days_of: (name) => `${name}：問題のあった日`,
  day: '日付（UTC）',
  what: '状態',
  all_day: '終日',
  every_day: (days) => count(days, { other: '#日分をすべて表示' }),
  total: '合計',
  share: '時間',
  response_times: '応答時間',
  median: '中央値',
  p95: '95パーセンタイル',
  status_column: '状態',
  uptime_counts:
    '稼働率：一部停止は30%として計算し、パフォーマンス低下とメンテナンスは停止時間に含めません。',
  always_operational: (days) => count(days, { other: '過去#日間に問題はありませんでした。' }),

  nothing_in_month: 'この月にインシデントとメンテナンスはありません。',
  months_navigation: '月',
  previous: (month) => `前の月：${month}`,
  next: (month) => `次の月：${month}`,

  header_navigation: 'ヘッダーのリンク',
  footer_navigation: 'フッターのリンク',
  website: 'ウェブサイト',
  support: 'サポートに問い合わせる',
  subscribe: '購読する',
  languages_navigation: '言語',
  subscribe_title: '更新情報を購読する',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'インシデントとメンテナンスの更新情報を、フィードリーダーやチャットツールで受け取れます。',
  calendar: 'メンテナンスカレンダー',
  calendar_text: 'メンテナンスの予定をカレンダーアプリで確認できます。',
  powered_by: 'Status Pages で作成',
  subscription: SUBSCRIPTION_JA,
  gate: GATE_JA,
};
