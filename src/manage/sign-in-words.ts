import type { MailPlace } from '../members/sign-in.js';

const FORGOTTEN =
  'If you have forgotten the password, press “Send me a link”. The link signs you in and lets you set a new password.';

const USED = 'A link works once, for 15 minutes. Enter your address to get another one by mail.';

function minutesOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** Words of the screens on which members sign in. */
export const SIGN_IN_WORDS = {
  title: 'Sign in',
  text: 'Report incidents, plan maintenance and edit your status pages.',
  email: 'Email address',
  password: 'Password',
  password_hint: {
    server: 'Without one, or if you have forgotten it, send yourself a link.',
    files: 'Without one, or if you have forgotten it, send yourself a link.',
    nowhere:
      'Without one, or if you have forgotten it, ask an administrator for a link. This server cannot send mail.',
  } satisfies Record<MailPlace, string>,
  password_missing: 'Password is missing. Enter it, or send yourself a link.',
  with_password: 'Sign in with password',
  with_link: 'Send me a link',
  no_mail: 'This server cannot send mail. Sign in with your password, or ask an administrator for a link.',
  wrong: 'The address or the password is wrong.',
  forgotten: {
    server: FORGOTTEN,
    files: FORGOTTEN,
    nowhere:
      'If you have forgotten the password, ask an administrator for a link. It is made on the server by “cli member link”. It lets you set a new password.',
  } satisfies Record<MailPlace, string>,
  email_invalid: 'Email address is missing or has a typing error.',
  too_many: (seconds: number) => `Too many attempts. Try again in ${minutesOf(seconds)}.`,
  kept: 'Your session has ended. Sign in again: what you wrote is kept.',
  sent_title: 'Look at your mail',
  sent: 'If this address belongs to a member, a link is on its way. It works once, for 15 minutes.',
  sent_files: (directory: string) =>
    `This server writes mail to files instead of sending it. They are in ${directory}.`,
  sent_kept:
    'What you wrote is kept here. Open the link in this browser, then come back to this tab and continue.',
  link_title: 'Sign in',
  link_text: 'This button signs you in on this device.',
  link_present: 'You are signed in as',
  link_other: 'The link is for',
  link_warning: 'If you have not asked for it, close this page.',
  link_button: 'Sign in',
  link_password: 'Sign in and set a new password',
  link_used: 'This link does not work any more',
  link_used_text: {
    server: USED,
    files: USED,
    nowhere: 'A link works once, for 15 minutes. Ask an administrator for another one.',
  } satisfies Record<MailPlace, string>,
  new_link: 'Ask for a new link',
  to_sign_in: 'To the sign-in',
} as const;
