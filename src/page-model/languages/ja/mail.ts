import type { MailWords } from '../en/mail.js';

/** Japanese words of mail. */
export const MAIL_JA: MailWords = {
  rescheduled: (title) => `日程変更：${title}`,
  reminder: (title) => `まもなく開始：${title}`,
  see_details: 'ステータスページで見る',
  reason: (page) => `このメールは、${page} の配信登録をされた方にお送りしています。`,
  manage: '登録内容の変更・解除',
  confirm_subject: '配信登録の確認',
  confirm_text: (page) =>
    `このメールアドレスで ${page} のメールを受け取る申し込みがありました。リンク先のページで確認してください。`,
  confirm: '登録を確認する',
  ignore: 'お心当たりがない場合は、このメールを無視してください。確認されない限り、メールは届きません。',
  subscribed_subject: 'すでに登録されています',
  subscribed_text: (page) =>
    `このメールアドレスで ${page} のメールを受け取る申し込みがありました。すでに登録済みです。`,
  access_subject: 'ステータスページへのリンク',
  access_text: (page) =>
    `このメールアドレスで ${page} を開く申し込みがありました。15分以内にリンク先のページを開いてください。リンクは1回だけ有効です。`,
  access: 'ステータスページを開く',
  access_ignore: 'お心当たりがない場合は、このメールを無視してください。',
};
