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
    `Per ricevere le e-mail di ${page} a questo indirizzo, conferma l’iscrizione dal link qui sotto.`,
  confirm: 'Conferma l’iscrizione',
  ignore: 'Se non l’hai richiesto, ignora questa e-mail. Non ne riceverai altre.',
  subscribed_subject: 'Sei già iscritto',
  subscribed_text: (page) =>
    `È stata richiesta un’iscrizione a ${page} con questo indirizzo. Esiste già, quindi non devi fare nulla.`,
  access_subject: 'Il tuo link alla pagina di stato',
  access_text: (page) =>
    `Per vedere ${page}, apri il link qui sotto entro 15 minuti. Funziona una sola volta.`,
  access: 'Apri la pagina di stato',
  access_ignore: 'Se non hai richiesto questo link, ignora questa e-mail.',
};
