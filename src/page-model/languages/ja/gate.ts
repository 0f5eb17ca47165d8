import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Japanese. */
export const GATE_JA: GateWords = {
  title: 'このステータスページは非公開です',
  networks: '特定のネットワークからのみ表示できます。',
  password: 'パスワード',
  open: 'ステータスページを表示',
  password_empty: 'パスワードを入力してください。',
  password_wrong: 'パスワードが違います。',
  email_hint: 'このアドレスに閲覧権限がある場合、一度だけ使えるリンクをお送りします。',
  send: 'リンクを送信',
  single_sign_on: 'シングルサインオンで続ける',
  ask: '閲覧権限がない場合は、このステータスページの管理者にお問い合わせください。',
};
