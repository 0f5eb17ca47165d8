import type { MailWords } from '../en/mail.js';

/** Japanese words of mail. */
export const MAIL_JA: MailWords = {
  rescheduled: (title) => `日程変更：${title}`,
  reminder: (title) => `まもなく開始：${title}`,
  see_details: 'ステータスページで見る',
  reason: (page) => `このメールは、${page} の配信登録をされた方にお送りしています。`,
  manage: '登録内容の変更・解除',
  confirm_subject: '配信登録を完了してください',
  confirm_text: (page) =>
    `このメールアドレスで ${page} のメールを受け取るには、リンク先のページで登録を完了してください。`,
  confirm: '登録を完了する',
  ignore: 'お心当たりがない場合は、このメールを無視してください。今後メールは届きません。',
  subscribed_subject: 'すでに登録されています',
  subscribed_text: (page) =>
    `このメールアドレスで ${page} のメールを受け取る申し込みがありましたが、すでに登録済みです。お手続きは不要です。`,
  access_subject: 'ステータスページへのリンク',
  access_text: (page) =>
    `${page} を表示するには、15分以内に下のリンクを開いてください。リンクは1回だけ有効です。`,
  access: 'ステータスページを開く',
  access_ignore: 'お心当たりがない場合は、このメールを無視してください。',
};
