import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Chinese. */
export const GATE_ZH: GateWords = {
  title: '此状态页面为非公开页面',
  networks: '只能从特定网络查看。',
  password: '密码',
  open: '查看状态页面',
  password_empty: '请输入密码。',
  password_wrong: '密码错误。',
  email_hint: '如果该地址有访问权限，我们会向其发送一个仅可使用一次的链接。',
  send: '发送链接',
  single_sign_on: '使用单点登录继续',
  ask: '如果您没有访问权限，请联系此状态页面的管理员。',
};
