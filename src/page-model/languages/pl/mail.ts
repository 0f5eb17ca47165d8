import type { MailWords } from '../en/mail.js';

/** Polish words of mail. */
export const MAIL_PL: MailWords = {
  rescheduled: (title) => `Przełożono: ${title}`,
  reminder: (title) => `Wkrótce początek: ${title}`,
  see_details: 'Zobacz na stronie statusu',
  reason: (page) => `Otrzymujesz tę wiadomość, ponieważ subskrybujesz ${page}.`,
  manage: 'Zmień lub zakończ subskrypcję',
  confirm_subject: 'Potwierdź subskrypcję',
  confirm_text: (page) =>
    `Ktoś, zapewne Ty, chce otrzymywać wiadomości z ${page} na ten adres. Potwierdź to na stronie pod tym linkiem.`,
  confirm: 'Potwierdź subskrypcję',
  ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość. Bez potwierdzenia nie wyślemy kolejnych.',
  subscribed_subject: 'Już subskrybujesz',
  subscribed_text: (page) =>
    `Ktoś, zapewne Ty, chce otrzymywać wiadomości z ${page} na ten adres. Już je otrzymujesz.`,
  access_subject: 'Twój link do strony statusu',
  access_text: (page) =>
    `Ktoś, zapewne Ty, chce otworzyć ${page} z tym adresem. Otwórz stronę pod tym linkiem w ciągu 15 minut. Link działa raz.`,
  access: 'Otwórz stronę statusu',
  access_ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość.',
};
