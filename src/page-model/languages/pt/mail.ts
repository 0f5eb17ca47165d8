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
    `Para receber e-mails de ${page} neste endereço, confirme a assinatura no link abaixo.`,
  confirm: 'Confirmar a assinatura',
  ignore: 'Se você não solicitou isto, ignore este e-mail. Não enviaremos outro.',
  subscribed_subject: 'Você já assina',
  subscribed_text: (page) =>
    `Uma assinatura de ${page} foi solicitada para este endereço. Ela já existe, então não é preciso fazer nada.`,
  access_subject: 'Seu link para a página de status',
  access_text: (page) =>
    `Para ver ${page}, abra o link abaixo em até 15 minutos. Ele funciona uma única vez.`,
  access: 'Abrir a página de status',
  access_ignore: 'Se você não solicitou este link, ignore este e-mail.',
};
