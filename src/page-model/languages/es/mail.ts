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
    `Para recibir correos de ${page} en esta dirección, confirme la suscripción en el enlace de abajo.`,
  confirm: 'Confirmar la suscripción',
  ignore: 'Si no lo ha solicitado, ignore este correo. No recibirá ninguno más.',
  subscribed_subject: 'Ya está suscrito',
  subscribed_text: (page) =>
    `Se ha solicitado una suscripción a ${page} con esta dirección. Ya existe, así que no tiene que hacer nada.`,
  access_subject: 'Su enlace a la página de estado',
  access_text: (page) =>
    `Para ver ${page}, abra el enlace de abajo en los próximos 15 minutos. Funciona una sola vez.`,
  access: 'Abrir la página de estado',
  access_ignore: 'Si no ha solicitado este enlace, ignore este correo.',
};
