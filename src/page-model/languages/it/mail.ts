import type { MailWords } from '../en/mail.js';

/** Italian words of mail. */
export const MAIL_IT: MailWords = {
  rescheduled: (title) => `Riprogrammata: ${title}`,
  reminder: (title) => `Inizia a breve: ${title}`,
  see_details: 'Vedi sulla pagina di stato',
  reason: (page) => `Ricevi questa e-mail perché sei iscritto a ${page}.`,
  manage: 'Modifica o annulla l’iscrizione',
  confirm_subject: 'Conferma la tua iscrizione',
  confirm_text: (page) =>
    `Qualcuno, probabilmente tu, vuole ricevere le e-mail di ${page} a questo indirizzo. Conferma nella pagina di questo link.`,
  confirm: 'Conferma l’iscrizione',
  ignore: 'Se non sei stato tu, ignora questa e-mail. Senza conferma non ne riceverai altre.',
  subscribed_subject: 'Sei già iscritto',
  subscribed_text: (page) =>
    `Qualcuno, probabilmente tu, vuole ricevere le e-mail di ${page} a questo indirizzo. Le ricevi già.`,
  access_subject: 'Il tuo link alla pagina di stato',
  access_text: (page) =>
    `Qualcuno, probabilmente tu, vuole aprire ${page} con questo indirizzo. Apri la pagina di questo link entro 15 minuti. Il link funziona una sola volta.`,
  access: 'Apri la pagina di stato',
  access_ignore: 'Se non sei stato tu, ignora questa e-mail.',
};
