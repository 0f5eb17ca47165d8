import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in French. */
export const GATE_FR: GateWords = {
  title: 'Cette page d’état est privée',
  networks: 'Elle n’est visible que depuis certains réseaux.',
  password: 'Mot de passe',
  open: 'Voir la page d’état',
  password_empty: 'Saisissez le mot de passe.',
  password_wrong: 'Ce mot de passe est incorrect.',
  email_hint: 'Si l’adresse a accès à la page, nous vous envoyons un lien qui fonctionne une seule fois.',
  send: 'Envoyer le lien',
  single_sign_on: 'Continuer avec l’authentification unique',
  ask: 'Si vous n’avez pas accès à la page, adressez-vous à son responsable.',
};
