import type { EntryWords } from '../en/entry.js';

/** French words of the ways into a private page. */
export const ENTRY_FR: EntryWords = {
  sent: 'Consultez votre messagerie',
  sent_text:
    'Si cette adresse a accès à la page, un e-mail avec un lien est en route. Le lien fonctionne une seule fois, pendant 15 minutes. Si vous ne recevez rien d’ici quelques minutes, vérifiez vos courriers indésirables.',
  open: 'Ouvrir la page d’état',
  open_text: 'Appuyez sur le bouton pour ouvrir cette page d’état en tant que\u00a0:',
  invalid: 'Ce lien n’est plus valide',
  invalid_text: 'Le lien est incomplet, expiré ou déjà utilisé. Demandez-en un nouveau.',
  too_many: (time) => `Il y a eu trop de tentatives. Réessayez ${time}.`,
  until_then: 'D’ici là, vous pouvez accéder à la page d’une autre manière.',
  redirect: 'Connexion',
  redirect_text: 'Vous allez continuer sur la page de connexion de\u00a0:',
  continue: 'Continuer',
  cancelled: 'Vous n’êtes pas connecté',
  cancelled_text: 'La connexion a été annulée, ou votre compte n’y est pas autorisé.',
  denied: 'Ce compte n’a pas accès',
  denied_text:
    'Connectez-vous avec un autre compte, ou demandez l’accès au responsable de cette page d’état.',
  expired: 'La connexion a expiré',
  expired_text: 'Elle a pris trop de temps, ou une autre connexion l’a remplacée. Recommencez.',
  failed: 'La connexion ne fonctionne pas pour le moment',
  failed_text: 'Le service qui vous connecte ne répond pas comme prévu. Réessayez plus tard.',
  reason: 'Motif\u00a0:',
  again: 'Retour à la page d’état',
};
