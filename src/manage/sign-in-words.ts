function minutesOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

/** Words of the screens on which members sign in. */
export const SIGN_IN_WORDS = {
  title: 'Sign in',
  text: 'To the console of your status pages.',
  email: 'Email address',
  password: 'Password',
  password_hint: 'Without one, send yourself a link.',
  password_missing: 'Password is missing. Enter it, or send yourself a link.',
  with_password: 'Sign in with password',
  with_link: 'Send me a link',
  no_mail: 'This server cannot send mail. Sign in with your password, or ask an administrator for a link.',
  wrong: 'The address or the password is wrong.',
  email_invalid: 'Email address is missing or has a typing error.',
  too_many: (seconds: number) => `Too many attempts. Try again in ${minutesOf(seconds)}.`,
  kept: 'Your session has ended. Sign in again: what you wrote is kept.',
  sent_title: 'Look at your mail',
  sent: 'If this address belongs to a member, a link is on its way. It works once, for 15 minutes.',
  sent_kept:
    'What you wrote is kept here. Open the link in this browser, then come back to this tab and continue.',
  link_title: 'Sign in',
  link_text: 'This button signs you in on this device.',
  link_present: 'You are signed in as',
  link_other: 'The link is for',
  link_warning: 'If you have not asked for it, close this page.',
  link_button: 'Sign in',
  link_used: 'This link does not work any more',
  link_used_text: 'A link works once, for 15 minutes. Ask for a new one.',
  again: 'Sign in again',
} as const;
