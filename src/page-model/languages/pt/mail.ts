import type { MailWords } from '../en/mail.js';

/** Portuguese words of mail. */
export const MAIL_PT: MailWords = {
  rescheduled: (title) => `Reagendada: ${title}`,
  reminder: (title) => `Começa em breve: ${title}`,
  see_details: 'Ver na página de status',
  reason: (page) => `Você recebe este e-mail porque assinou ${page}.`,
  manage: 'Alterar ou cancelar a assinatura',
  confirm_subject: 'Confirme sua assinatura',
  confirm_text: (page) =>
    `Alguém, provavelmente você, quer receber e-mails de ${page} neste endereço. Confirme na página deste link.`,
  confirm: 'Confirmar a assinatura',
  ignore: 'Se não foi você, ignore este e-mail. Sem confirmação, não enviaremos outro.',
  subscribed_subject: 'Você já assina',
  subscribed_text: (page) =>
    `Alguém, provavelmente você, quer receber e-mails de ${page} neste endereço. Você já os recebe.`,
  access_subject: 'Seu link para a página de status',
  access_text: (page) =>
    `Alguém, provavelmente você, quer abrir ${page} com este endereço. Abra a página deste link em até 15 minutos. O link funciona uma única vez.`,
  access: 'Abrir a página de status',
  access_ignore: 'Se não foi você, ignore este e-mail.',
};
