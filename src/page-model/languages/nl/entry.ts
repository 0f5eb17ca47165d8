import type { EntryWords } from '../en/entry.js';

/** Dutch words of the ways into a private page. */
export const ENTRY_NL: EntryWords = {
  sent: 'Bekijk uw inbox',
  sent_text:
    'Als dit adres toegang heeft, is een e-mail met een link onderweg. De link werkt één keer, 15 minuten lang. Komt er binnen enkele minuten niets aan, kijk dan in de spammap.',
  open: 'Statuspagina openen',
  open_text: 'Druk op de knop om deze statuspagina te openen als:',
  invalid: 'Deze link is niet meer geldig',
  invalid_text: 'De link is onvolledig, verlopen of al gebruikt. Vraag een nieuwe aan.',
  too_many: (time) => `Er waren te veel pogingen. Probeer het ${time} opnieuw.`,
  until_then: 'Tot die tijd kunt u op een andere manier toegang krijgen.',
  redirect: 'Inloggen',
  redirect_text: 'U gaat verder op de inlogpagina van:',
  continue: 'Doorgaan',
  cancelled: 'U bent niet ingelogd',
  cancelled_text: 'Het inloggen is geannuleerd, of uw account mag het niet gebruiken.',
  denied: 'Dit account heeft geen toegang',
  denied_text: 'Log in met een ander account, of vraag de beheerder van deze statuspagina om toegang.',
  expired: 'Het inloggen is verlopen',
  expired_text: 'Het duurde te lang, of een andere poging heeft het vervangen. Begin opnieuw.',
  failed: 'Inloggen werkt op dit moment niet',
  failed_text: 'De dienst waarmee u inlogt, antwoordt niet zoals verwacht. Probeer het later opnieuw.',
  reason: 'Reden:',
  again: 'Terug naar de statuspagina',
};
