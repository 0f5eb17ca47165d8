import type { MailWords } from '../en/mail.js';

/** French words of mail. */
export const MAIL_FR: MailWords = {
  rescheduled: (title) => `Reprogrammée\u00a0: ${title}`,
  reminder: (title) => `Commence bientôt\u00a0: ${title}`,
  see_details: 'Voir sur la page d’état',
  reason: (page) => `Vous recevez cet e-mail car vous êtes abonné à ${page}.`,
  manage: 'Modifier ou résilier l’abonnement',
  confirm_subject: 'Confirmez votre abonnement',
  confirm_text: (page) =>
    `Pour recevoir les e-mails de ${page} à cette adresse, confirmez l’abonnement en suivant le lien ci-dessous.`,
  confirm: 'Confirmer l’abonnement',
  ignore: 'Si vous n’avez rien demandé, ignorez cet e-mail. Vous n’en recevrez pas d’autre.',
  subscribed_subject: 'Vous êtes déjà abonné',
  subscribed_text: (page) =>
    `Un abonnement à ${page} a été demandé pour cette adresse. Il existe déjà, vous n’avez rien à faire.`,
  access_subject: 'Votre lien vers la page d’état',
  access_text: (page) =>
    `Pour voir ${page}, ouvrez le lien ci-dessous dans les 15 minutes. Il fonctionne une seule fois.`,
  access: 'Ouvrir la page d’état',
  access_ignore: 'Si vous n’avez pas demandé ce lien, ignorez cet e-mail.',
};
