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
    `Aby otrzymywać wiadomości z ${page} na ten adres, potwierdź subskrypcję pod poniższym linkiem.`,
  confirm: 'Potwierdź subskrypcję',
  ignore: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Nie wyślemy kolejnych.',
  subscribed_subject: 'Już subskrybujesz',
  subscribed_text: (page) =>
    `Ktoś poprosił o subskrypcję ${page} na ten adres. Subskrypcja już istnieje, więc nie musisz nic robić.`,
  access_subject: 'Twój link do strony statusu',
  access_text: (page) => `Aby zobaczyć ${page}, otwórz poniższy link w ciągu 15 minut. Link działa raz.`,
  access: 'Otwórz stronę statusu',
  access_ignore: 'Jeśli nie prosisz o ten link, zignoruj tę wiadomość.',
};
