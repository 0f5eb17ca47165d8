import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Italian. */
export const GATE_IT: GateWords = {
  title: 'Questa pagina di stato è privata',
  networks: 'Si può vedere solo da determinate reti.',
  password: 'Password',
  open: 'Vedi la pagina di stato',
  password_empty: 'Inserisci la password.',
  password_wrong: 'Questa password è errata.',
  email_hint: 'Se l’indirizzo ha accesso, gli inviamo un link che funziona una sola volta.',
  send: 'Invia il link',
  single_sign_on: 'Continua con il Single Sign-On',
  ask: 'Se non hai accesso, rivolgiti al gestore di questa pagina di stato.',
};
