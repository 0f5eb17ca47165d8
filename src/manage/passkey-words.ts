import { MAX_PASSKEYS_OF_MEMBER } from '../members/passkeys/member-passkeys.js';

/** Words about passkeys. */
export const PASSKEY_WORDS = {
  title: 'Passkeys',
  text: 'A passkey signs you in by fingerprint, face or PIN of your device, without a password.',
  needs_script: 'To add one, allow JavaScript for this site in a browser that supports passkeys.',
  present: 'Current password, to add a passkey',
  add: 'Add a passkey',
  last_use: (last: string, start: string) => `Last use ${last} · since ${start}`,
  not_used: (start: string) => `Not used yet · since ${start}`,
  remove: 'Remove',
  remove_label: (name: string) => `Remove the passkey of ${name}`,
  remove_title: (name: string) => `Remove the passkey of ${name}?`,
  remove_text:
    'It does not sign you in any more, and all your other sessions and links end. Your device can still offer it until you delete it there.',
  added: 'Your passkey works now.',
  removed: 'The passkey is removed. All your other sessions and links have ended.',
  sign_in: 'Sign in with a passkey',
  rejected: 'This passkey did not sign you in. Try again, or choose another way.',
  not_allowed: 'Your device has not confirmed it. Try again.',
  failed: 'It did not work. Load the page again, then try again.',
  known: 'You have added the passkey of this device before.',
  full: `You have ${MAX_PASSKEYS_OF_MEMBER} passkeys. Remove one before you add another.`,
  not_added: 'The passkey was not added',
  not_added_text: 'Your device has not confirmed it in time. Try again.',
} as const;
