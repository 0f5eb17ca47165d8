import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in French. */
export const GATE_FR: GateWords = {
  title: 'Cette page d’état est privée',
  networks: 'Elle n’est visible que depuis certains réseaux.',
  password: 'Mot de passe',
  open: 'Ouvrir avec le mot de passe',
  password_empty: 'Saisissez le mot de passe.',
  password_wrong: 'Ce mot de passe est incorrect.',
  email_hint: 'Si l’adresse a accès à la page, nous lui envoyons un lien qui fonctionne une seule fois.',
  send: 'Envoyer le lien',
  single_sign_on: 'Continuer avec l’authentification unique',
};
