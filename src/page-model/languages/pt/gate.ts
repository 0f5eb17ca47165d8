import type { GateWords } from '../en/gate.js';

/** Words of a private page's gate, in Portuguese. */
export const GATE_PT: GateWords = {
  title: 'Esta página de status é privada',
  networks: 'Ela só pode ser vista de determinadas redes.',
  password: 'Senha',
  open: 'Ver a página de status',
  password_empty: 'Digite a senha.',
  password_wrong: 'Esta senha está errada.',
  email_hint: 'Se o endereço tiver acesso, enviamos a ele um link que funciona uma única vez.',
  send: 'Enviar o link',
  single_sign_on: 'Continuar com o login único',
  ask: 'Se você não tem acesso, fale com o responsável por esta página de status.',
};
