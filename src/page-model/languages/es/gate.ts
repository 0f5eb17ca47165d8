import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Spanish. */
export const GATE_ES: GateWords = {
  title: 'Esta página de estado es privada',
  networks: 'Solo se puede ver desde determinadas redes.',
  password: 'Contraseña',
  open: 'Ver la página de estado',
  password_empty: 'Introduzca la contraseña.',
  password_wrong: 'Esta contraseña es incorrecta.',
  email_hint: 'Si la dirección tiene acceso, le enviamos un enlace que funciona una sola vez.',
  send: 'Enviar el enlace',
  single_sign_on: 'Continuar con el inicio de sesión único',
  ask: 'Si no tiene acceso, consulte al responsable de esta página de estado.',
};
