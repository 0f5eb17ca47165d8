import type { MailWords } from '../en/mail.js';

/** Spanish words of mail. */
export const MAIL_ES: MailWords = {
  rescheduled: (title) => `Reprogramado: ${title}`,
  reminder: (title) => `Empieza pronto: ${title}`,
  see_details: 'Ver en la página de estado',
  reason: (page) => `Recibe este correo porque se ha suscrito a ${page}.`,
  manage: 'Cambiar o cancelar la suscripción',
  confirm_subject: 'Confirme su suscripción',
  confirm_text: (page) =>
    `Alguien, probablemente usted, quiere recibir correos de ${page} en esta dirección. Confírmelo en la página de este enlace.`,
  confirm: 'Confirmar la suscripción',
  ignore: 'Si no ha sido usted, ignore este correo. Sin confirmación no recibirá ninguno más.',
  subscribed_subject: 'Ya está suscrito',
  subscribed_text: (page) =>
    `Alguien, probablemente usted, quiere recibir correos de ${page} en esta dirección. Ya los recibe.`,
  access_subject: 'Su enlace a la página de estado',
  access_text: (page) =>
    `Alguien, probablemente usted, quiere abrir ${page} con esta dirección. Abra la página de este enlace en los próximos 15 minutos. El enlace funciona una sola vez.`,
  access: 'Abrir la página de estado',
  access_ignore: 'Si no ha sido usted, ignore este correo.',
};
