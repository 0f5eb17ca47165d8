import type { Role } from '../members/roles.js';
import { PASSWORD_LENGTH, type Weakness } from '../members/member-passwords.js';

const ROLE: Record<Role, string> = {
  viewer: 'Viewer',
  responder: 'Responder',
  editor: 'Editor',
  admin: 'Admin',
};

const ROLE_TEXT: Record<Role, string> = {
  viewer: 'Reads everything.',
  responder: 'Reads everything. Publishes incidents and maintenance.',
  editor: 'As a responder. Also changes pages, monitors and subscribers.',
  admin: 'Does everything. Also manages members, API keys and webhooks.',
};

const WEAK: Record<Weakness, string> = {
  too_short: `The new password is too short. Use at least ${PASSWORD_LENGTH.min} characters.`,
  too_long: `The new password is too long. Use at most ${PASSWORD_LENGTH.max} characters.`,
  too_common: 'The new password is easy to guess. Use several words that do not belong together.',
};

/** Words of the account menu, and of the member's own screen. */
export const ACCOUNT_WORDS = {
  label: 'Menu',
  menu: { events: 'Events', recipients: 'Recipients', organization: 'Organization' },
  signed_in: 'Signed in as',
  sign_out: 'Sign out',
  open: 'Password and devices',
  title: 'Your account',
  name: 'Name',
  email: 'Email address',
  role: 'Role',
  roles: ROLE,
  role_texts: ROLE_TEXT,
  some_projects: 'Only in some projects.',
  set_title: 'Set a password',
  set_text: 'With a password, you can sign in without a link.',
  offer: 'Welcome. Next time, you can sign in without a link.',
  offer_link: 'Set a password',
  change_title: 'Change the password',
  change_text: 'A new password ends your sessions on all other devices.',
  by_link: 'You have just signed in by a link, so you do not need the current password.',
  present: 'Current password',
  present_missing: 'Current password is missing.',
  wrong: 'The current password is wrong.',
  next: 'New password',
  next_hint: `${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters. Several words are easy to remember and hard to guess.`,
  next_missing: 'New password is missing.',
  weak: WEAK,
  set: 'Set password',
  change: 'Change password',
  password_saved: 'Your new password works now. All your other sessions and links have ended.',
  session_ended: 'The session has ended.',
  others_ended: 'All your other sessions have ended.',
  sessions: 'Where you are signed in',
  sessions_text: 'End a session that you do not know, then change the password.',
  this_device: 'This device',
  browser_on: (browser: string, system: string) => `${browser} on ${system}`,
  unknown_browser: 'Unknown browser',
  last_use: (last: string, start: string) => `Last use ${last} · since ${start}`,
  end: 'End',
  end_label: (browser: string) => `End the session of ${browser}`,
  end_others: 'End all other sessions',
} as const;
