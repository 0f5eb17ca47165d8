import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Polish. */
export const GATE_PL: GateWords = {
  title: 'Ta strona statusu jest prywatna',
  networks: 'Można ją zobaczyć tylko z określonych sieci.',
  password: 'Hasło',
  open: 'Zobacz stronę statusu',
  password_empty: 'Wpisz hasło.',
  password_wrong: 'To hasło jest nieprawidłowe.',
  email_hint: 'Jeśli adres ma dostęp, wyślemy na niego link, który działa jeden raz.',
  send: 'Wyślij link',
  single_sign_on: 'Kontynuuj przez logowanie jednokrotne',
  ask: 'Jeśli nie masz dostępu, zwróć się do operatora tej strony statusu.',
};
