import type { MailWords } from '../en/mail.js';

/** Chinese words of mail. */
export const MAIL_ZH: MailWords = {
  rescheduled: (title) => `已改期：${title}`,
  reminder: (title) => `即将开始：${title}`,
  see_details: '在状态页查看',
  reason: (page) => `您收到此邮件，是因为您订阅了 ${page}。`,
  manage: '更改或取消订阅',
  confirm_subject: '请确认您的订阅',
  confirm_text: (page) => `有人（可能是您）希望用此地址接收 ${page} 的邮件。请在此链接的页面上确认。`,
  confirm: '确认订阅',
  ignore: '如果不是您本人操作，请忽略此邮件。未经确认，不会再发送邮件。',
  subscribed_subject: '您已经订阅',
  subscribed_text: (page) => `有人（可能是您）希望用此地址接收 ${page} 的邮件。您已在接收。`,
  access_subject: '状态页的访问链接',
  access_text: (page) =>
    `有人（可能是您）希望用此地址打开 ${page}。请在 15 分钟内打开此链接的页面。该链接只能使用一次。`,
  access: '打开状态页',
  access_ignore: '如果不是您本人操作，请忽略此邮件。',
};
