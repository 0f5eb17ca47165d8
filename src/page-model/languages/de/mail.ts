import type { MailWords } from '../en/mail.js';

/** German words of mail. */
export const MAIL_DE: MailWords = {
  rescheduled: (title) => `Verschoben: ${title}`,
  reminder: (title) => `Beginnt bald: ${title}`,
  see_details: 'Auf der Statusseite ansehen',
  reason: (page) => `Sie erhalten diese E-Mail, weil Sie Meldungen von ${page} abonniert haben.`,
  manage: 'Abonnement ändern oder beenden',
  confirm_subject: 'Bestätigen Sie Ihr Abonnement',
  confirm_text: (page) =>
    `Jemand, vermutlich Sie, möchte an diese Adresse E-Mails von ${page} erhalten. Bestätigen Sie das auf der Seite hinter diesem Link.`,
  confirm: 'Abonnement bestätigen',
  ignore:
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne Bestätigung erhalten Sie keine weitere.',
  subscribed_subject: 'Sie haben bereits abonniert',
  subscribed_text: (page) =>
    `Jemand, vermutlich Sie, möchte an diese Adresse E-Mails von ${page} erhalten. Sie erhalten sie bereits.`,
  access_subject: 'Ihr Link zur Statusseite',
  access_text: (page) =>
    `Jemand, vermutlich Sie, möchte ${page} mit dieser Adresse öffnen. Öffnen Sie die Seite hinter diesem Link innerhalb von 15 Minuten. Der Link funktioniert einmal.`,
  access: 'Statusseite öffnen',
  access_ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
};
