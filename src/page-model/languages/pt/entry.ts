import type { EntryWords } from '../en/entry.js';

/** Portuguese words of the ways into a private page. */
export const ENTRY_PT: EntryWords = {
  sent: 'Verifique seu e-mail',
  sent_text:
    'Se este endereço tiver acesso, um e-mail com um link está a caminho. O link funciona uma única vez, por 15 minutos. Se nada chegar em alguns minutos, verifique a pasta de spam.',
  open: 'Abrir a página de status',
  open_text: 'Pressione o botão para abrir esta página de status como:',
  invalid: 'Este link não é mais válido',
  invalid_text: 'O link está incompleto, expirou ou já foi usado. Solicite um novo.',
  too_many: (time) => `Houve muitas tentativas. Tente novamente ${time}.`,
  until_then: 'Até lá, você pode entrar de outra forma.',
  redirect: 'Entrar',
  redirect_text: 'Você continua na página de login de:',
  continue: 'Continuar',
  cancelled: 'Você não entrou',
  cancelled_text: 'O login foi cancelado, ou sua conta não pode usá-lo.',
  denied: 'Esta conta não tem acesso',
  denied_text: 'Entre com outra conta, ou peça acesso ao responsável por esta página de status.',
  expired: 'O login expirou',
  expired_text: 'Demorou demais, ou outro login o substituiu. Comece de novo.',
  failed: 'O login não está funcionando no momento',
  failed_text: 'O serviço de login não responde como esperado. Tente mais tarde.',
  reason: 'Motivo:',
  again: 'Voltar à página de status',
};
