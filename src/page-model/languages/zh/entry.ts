import type { EntryWords } from '../en/entry.js';

/** Chinese words of the ways into a private page. */
export const ENTRY_ZH: EntryWords = {
  sent: '请查看您的收件箱',
  sent_text:
    '如果此地址有访问权限，我们会发送一封带有链接的邮件。该链接在 15 分钟内有效，且只能使用一次。如果几分钟内没有收到，请检查垃圾邮件文件夹。',
  open: '打开状态页',
  open_text: '点击按钮，以此地址打开状态页：',
  invalid: '此链接已失效',
  invalid_text: '链接不完整、已过期或已被使用。请重新申请。',
  too_many: (time) => `尝试次数过多。请在${time}再试。`,
  until_then: '在此之前，您可以使用其他方式访问。',
  redirect: '登录',
  redirect_text: '您将前往以下服务的登录页面：',
  continue: '继续',
  cancelled: '您尚未登录',
  cancelled_text: '登录已取消，或您的帐户不能使用此登录方式。',
  denied: '此帐户没有访问权限',
  denied_text: '请使用其他帐户登录，或向此状态页的运营者申请访问权限。',
  expired: '登录已过期',
  expired_text: '登录用时过长，或已被另一次登录取代。请重新开始。',
  failed: '登录暂时不可用',
  failed_text: '登录服务没有按预期响应。请稍后再试。',
  reason: '原因：',
  again: '返回状态页',
};
