import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in German. */
export const GATE_DE: GateWords = {
  title: 'Diese Statusseite ist privat',
  networks: 'Sie ist nur aus bestimmten Netzwerken erreichbar.',
  password: 'Passwort',
  open: 'Statusseite ansehen',
  password_empty: 'Geben Sie das Passwort ein.',
  password_wrong: 'Dieses Passwort ist falsch.',
  email_hint: 'Wenn die Adresse Zugang hat, senden wir Ihnen einen Link, der einmal funktioniert.',
  send: 'Link senden',
  single_sign_on: 'Weiter mit Single Sign-on',
  ask: 'Wenn Sie keinen Zugang haben, wenden Sie sich an den Betreiber dieser Statusseite.',
};
