import type { EntryWords } from '../en/entry.js';

/** Japanese words of the ways into a private page. */
export const ENTRY_JA: EntryWords = {
  sent: 'メールをご確認ください',
  sent_text:
    'このアドレスに閲覧権限がある場合、リンクを記載したメールをお送りします。リンクは15分間、1回だけ有効です。数分経っても届かない場合は、迷惑メールフォルダをご確認ください。',
  open: 'ステータスページを開く',
  open_text: 'ボタンを押すと、次のアドレスでこのステータスページを開きます：',
  invalid: 'このリンクは無効です',
  invalid_text: 'リンクが不完全か、期限切れか、すでに使用されています。新しいリンクを取得してください。',
  too_many: (time) => `試行回数が多すぎます。${time}にもう一度お試しください。`,
  until_then: 'それまでは、別の方法でアクセスできます。',
  redirect: 'ログイン',
  redirect_text: '次のサービスのログインページに進みます：',
  continue: '続ける',
  cancelled: 'ログインが完了していません',
  cancelled_text: 'ログインがキャンセルされたか、このアカウントではログインできません。',
  denied: 'このアカウントには閲覧権限がありません',
  denied_text: '別のアカウントでログインするか、このステータスページの管理者に閲覧権限を依頼してください。',
  expired: 'ログインの有効期限が切れました',
  expired_text: '時間がかかりすぎたか、別のログインに置き換えられました。最初からやり直してください。',
  failed: '現在ログインできません',
  failed_text: 'ログインサービスから正しい応答がありません。後でもう一度お試しください。',
  reason: '理由：',
  again: 'ステータスページに戻る',
};
