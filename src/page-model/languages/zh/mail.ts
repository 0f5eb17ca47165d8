import type { MailWords } from '../en/mail.js';

/** Chinese words of mail. */
export const MAIL_ZH: MailWords = {
  rescheduled: (title) => `已改期：${title}`,
  reminder: (title) => `即将开始：${title}`,
  see_details: '在状态页查看',
  reason: (page) => `您收到此邮件，是因为您订阅了 ${page}。`,
  manage: '更改或取消订阅',
  confirm_subject: '请确认您的订阅',
  confirm_text: (page) => `要在此地址接收 ${page} 的邮件，请通过下方链接确认订阅。`,
  confirm: '确认订阅',
  ignore: '如果您没有提出此请求，请忽略此邮件。您不会再收到其他邮件。',
  subscribed_subject: '您已经订阅',
  subscribed_text: (page) => `有人请求用此地址订阅 ${page}。该地址已订阅，您无需进行任何操作。`,
  access_subject: '状态页的访问链接',
  access_text: (page) => `要查看 ${page}，请在 15 分钟内打开下方链接。该链接只能使用一次。`,
  access: '打开状态页',
  access_ignore: '如果您没有请求此链接，请忽略此邮件。',
};
