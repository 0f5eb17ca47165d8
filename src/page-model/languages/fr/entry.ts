import type { EntryWords } from '../en/entry.js';

/** French words of the ways into a private page. */
export const ENTRY_FR: EntryWords = {
  sent: 'Consultez votre messagerie',
  sent_text:
    'Si cette adresse a accès à la page, un e-mail avec un lien est en route. Le lien fonctionne une seule fois, pendant 15 minutes. Si vous ne recevez rien d’ici quelques minutes, vérifiez vos courriers indésirables.',
  open: 'Ouvrir la page d’état',
  open_text: 'Appuyez sur le bouton pour ouvrir cette page d’état en tant que :',
  invalid: 'Ce lien n’est plus valable',
  invalid_text: 'Le lien est incomplet, expiré ou déjà utilisé. Demandez-en un nouveau.',
  too_many: (time) => `Il y a eu trop de tentatives. Réessayez ${time}.`,
  until_then: 'D’ici là, vous pouvez accéder à la page d’une autre façon.',
  redirect: 'Connexion',
  redirect_text: 'Vous continuez sur la page de connexion de :',
  continue: 'Continuer',
  cancelled: 'Vous n’êtes pas connecté',
  cancelled_text: 'La connexion a été annulée, ou votre compte ne peut pas l’utiliser.',
  denied: 'Ce compte n’a pas accès',
  denied_text:
    'Connectez-vous avec un autre compte, ou demandez l’accès à l’exploitant de cette page d’état.',
  expired: 'La connexion a expiré',
  expired_text: 'Elle a duré trop longtemps, ou une autre l’a remplacée. Recommencez.',
  failed: 'La connexion ne fonctionne pas pour le moment',
  failed_text: 'Le service qui vous connecte ne répond pas comme prévu. Réessayez plus tard.',
  reason: 'Motif :',
  again: 'Retour à la page d’état',
};
