import type { SubscriptionWords } from '../en/subscription.js';

/** French words of subscriptions. */
export const SUBSCRIPTION_FR: SubscriptionWords = {
  email: 'Adresse e-mail',
  email_hint:
    'Nous vous envoyons un lien pour confirmer l’adresse. Chaque e-mail contient un lien de désabonnement.',
  systems: 'Systèmes',
  all_systems: 'Tous les systèmes',
  some_systems: 'Seulement ces systèmes',
  amount: 'Nombre d’e-mails',
  every_update: 'Chaque mise à jour',
  edges: 'Seulement la première et la dernière mise à jour',
  edges_hint: 'Un e-mail quand un incident ou une maintenance commence, et un autre à la fin.',
  maintenances: 'Recevoir aussi des e-mails sur les maintenances prévues',
  email_empty: 'Saisissez votre adresse e-mail.',
  email_invalid: 'Saisissez une adresse e-mail telle que nom@example.com.',
  systems_empty: 'Sélectionnez au moins un système.',
  choice_invalid: 'Sélectionnez l’une des options.',
  errors: 'Corrigez ces champs\u00a0:',
  sent: 'Consultez votre boîte de réception',
  sent_text:
    'Si nous pouvons écrire à cette adresse, vous recevrez un lien dans quelques minutes. Ouvrez-le pour continuer. Si rien n’arrive, regardez dans les courriers indésirables.',
  by_feed: 'Flux et calendrier',
  confirm: 'Confirmer l’abonnement',
  confirm_text: 'Appuyez sur le bouton pour recevoir les mises à jour à cette adresse\u00a0:',
  confirmed: 'Vous êtes abonné',
  confirmed_text: 'Les mises à jour seront envoyées à cette adresse\u00a0:',
  manage: 'Votre abonnement',
  manage_link: 'Modifier ou résilier l’abonnement',
  save: 'Enregistrer les modifications',
  saved: 'Vos modifications sont enregistrées.',
  unsubscribe: 'Se désabonner',
  unsubscribe_text: 'Appuyez sur le bouton pour ne plus recevoir d’e-mails à cette adresse\u00a0:',
  unsubscribed: 'Vous êtes désabonné',
  unsubscribed_text: 'Vous ne recevrez plus d’e-mails de cette page d’état. Votre adresse est supprimée.',
  invalid: 'Ce lien n’est plus valide',
  invalid_text:
    'Le lien est incomplet ou a expiré, ou l’abonnement a pris fin. Si vous vous êtes désabonné, vous ne recevrez plus d’e-mails.',
  too_many: 'Trop d’abonnements',
  too_many_text: 'Trop d’abonnements ont été demandés depuis votre réseau. Réessayez dans une heure.',
};
