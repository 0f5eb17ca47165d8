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
    `Bevestig het abonnement via de link hieronder om op dit adres e-mails van ${page} te ontvangen.`,
  confirm: 'Abonnement bevestigen',
  ignore: 'Als u dit niet hebt aangevraagd, negeer dan deze e-mail. U ontvangt er dan geen meer.',
  subscribed_subject: 'U bent al geabonneerd',
  subscribed_text: (page) =>
    `Voor dit adres is een abonnement op ${page} aangevraagd. Het bestaat al, u hoeft dus niets te doen.`,
  access_subject: 'Uw link naar de statuspagina',
  access_text: (page) =>
    `Open de link hieronder binnen 15 minuten om ${page} te bekijken. De link werkt één keer.`,
  access: 'Statuspagina openen',
  access_ignore: 'Als u deze link niet hebt aangevraagd, negeer dan deze e-mail.',
};
