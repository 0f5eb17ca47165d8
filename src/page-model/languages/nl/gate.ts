import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Dutch. */
export const GATE_NL: GateWords = {
  title: 'Deze statuspagina is privé',
  networks: 'De pagina is alleen vanuit bepaalde netwerken te zien.',
  password: 'Wachtwoord',
  open: 'Statuspagina bekijken',
  password_empty: 'Voer het wachtwoord in.',
  password_wrong: 'Dit wachtwoord is onjuist.',
  email_hint: 'Als het adres toegang heeft, sturen we een link die één keer werkt.',
  send: 'Link sturen',
  single_sign_on: 'Doorgaan met single sign-on',
  ask: 'Als u geen toegang hebt, neem dan contact op met de beheerder van deze statuspagina.',
};
