import type { MailWords } from '../en/mail.js';

/** French words of mail. */
export const MAIL_FR: MailWords = {
  rescheduled: (title) => `Reporté : ${title}`,
  reminder: (title) => `Commence bientôt : ${title}`,
  see_details: 'Voir sur la page d’état',
  reason: (page) => `Vous recevez cet e-mail car vous êtes abonné à ${page}.`,
  manage: 'Modifier ou résilier l’abonnement',
  confirm_subject: 'Confirmez votre abonnement',
  confirm_text: (page) =>
    `Quelqu’un, sans doute vous, souhaite recevoir les e-mails de ${page} à cette adresse. Confirmez-le sur la page de ce lien.`,
  confirm: 'Confirmer l’abonnement',
  ignore: 'Si ce n’était pas vous, ignorez cet e-mail. Sans confirmation, vous n’en recevrez pas d’autre.',
  subscribed_subject: 'Vous êtes déjà abonné',
  subscribed_text: (page) =>
    `Quelqu’un, sans doute vous, souhaite recevoir les e-mails de ${page} à cette adresse. Vous les recevez déjà.`,
  access_subject: 'Votre lien vers la page d’état',
  access_text: (page) =>
    `Quelqu’un, sans doute vous, souhaite ouvrir ${page} avec cette adresse. Ouvrez la page de ce lien dans les 15 minutes. Le lien fonctionne une seule fois.`,
  access: 'Ouvrir la page d’état',
  access_ignore: 'Si ce n’était pas vous, ignorez cet e-mail.',
};
