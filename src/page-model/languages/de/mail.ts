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
    `Um an dieser Adresse E-Mails zu ${page} zu erhalten, bestätigen Sie das Abonnement auf der verlinkten Seite.`,
  confirm: 'Abonnement bestätigen',
  ignore:
    'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Sie erhalten dann keine weiteren.',
  subscribed_subject: 'Sie haben bereits abonniert',
  subscribed_text: (page) =>
    `Für diese Adresse wurde ein Abonnement von ${page} angefordert. Es besteht bereits, Sie müssen also nichts tun.`,
  access_subject: 'Ihr Link zur Statusseite',
  access_text: (page) =>
    `Um ${page} anzusehen, öffnen Sie innerhalb von 15 Minuten den Link unten. Er funktioniert einmal.`,
  access: 'Statusseite öffnen',
  access_ignore: 'Wenn Sie diesen Link nicht angefordert haben, ignorieren Sie diese E-Mail.',
};
