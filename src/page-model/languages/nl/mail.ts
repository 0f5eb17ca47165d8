import type { MailWords } from '../en/mail.js';

/** Dutch words of mail. */
export const MAIL_NL: MailWords = {
  rescheduled: (title) => `Verplaatst: ${title}`,
  reminder: (title) => `Begint binnenkort: ${title}`,
  see_details: 'Bekijken op de statuspagina',
  reason: (page) => `U ontvangt deze e-mail omdat u zich op ${page} hebt geabonneerd.`,
  manage: 'Abonnement wijzigen of beëindigen',
  confirm_subject: 'Bevestig uw abonnement',
  confirm_text: (page) =>
    `Iemand, waarschijnlijk u, wil op dit adres e-mails van ${page} ontvangen. Bevestig dit op de pagina achter deze link.`,
  confirm: 'Abonnement bevestigen',
  ignore: 'Als u dit niet was, negeer dan deze e-mail. Zonder bevestiging ontvangt u er geen meer.',
  subscribed_subject: 'U bent al geabonneerd',
  subscribed_text: (page) =>
    `Iemand, waarschijnlijk u, wil op dit adres e-mails van ${page} ontvangen. U ontvangt ze al.`,
  access_subject: 'Uw link naar de statuspagina',
  access_text: (page) =>
    `Iemand, waarschijnlijk u, wil ${page} met dit adres openen. Open de pagina achter deze link binnen 15 minuten. De link werkt één keer.`,
  access: 'Statuspagina openen',
  access_ignore: 'Als u dit niet was, negeer dan deze e-mail.',
};
