import type { SubscriptionWords } from '../en/subscription.js';

/** Dutch words of subscriptions. */
export const SUBSCRIPTION_NL: SubscriptionWords = {
  email: 'E-mailadres',
  email_hint:
    'Wij sturen u een link om het adres te bevestigen. Elke e-mail bevat een link om u af te melden.',
  systems: 'Systemen',
  all_systems: 'Alle systemen',
  some_systems: 'Alleen deze systemen',
  amount: 'Hoeveel e-mails',
  every_update: 'Elke melding',
  edges: 'Alleen de eerste en de laatste update',
  edges_hint: 'Een e-mail wanneer een incident of onderhoud begint, en een wanneer het voorbij is.',
  maintenances: 'Ook e-mails over gepland onderhoud sturen',
  email_empty: 'Vul uw e-mailadres in.',
  email_invalid: 'Vul een e-mailadres in zoals naam@example.com.',
  systems_empty: 'Selecteer ten minste één systeem.',
  choice_invalid: 'Selecteer een van de opties.',
  errors: 'Verbeter deze gegevens:',
  sent: 'Controleer uw inbox',
  sent_text:
    'Als we e-mail naar dit adres kunnen sturen, ontvangt u binnen enkele minuten een link. Open de link om door te gaan. Komt er niets aan, kijk dan in uw spammap.',
  by_feed: 'Feeds en kalender',
  confirm: 'Abonnement bevestigen',
  confirm_text: 'Klik op de knop om meldingen op dit adres te ontvangen:',
  confirmed: 'U bent geabonneerd',
  confirmed_text: 'Meldingen gaan naar dit adres:',
  manage: 'Uw abonnement',
  manage_link: 'Abonnement wijzigen of beëindigen',
  save: 'Wijzigingen opslaan',
  saved: 'Uw wijzigingen zijn opgeslagen.',
  unsubscribe: 'Afmelden',
  unsubscribe_text: 'Klik op de knop om op dit adres geen e-mails meer te ontvangen:',
  unsubscribed: 'U bent afgemeld',
  unsubscribed_text: 'U ontvangt geen e-mails meer van deze statuspagina. Uw adres is verwijderd.',
  invalid: 'Deze link is niet meer geldig',
  invalid_text:
    'De link is onvolledig of verlopen, of het abonnement is beëindigd. Als u zich hebt afgemeld, ontvangt u geen e-mails meer.',
  too_many: 'Te veel abonnementen',
  too_many_text: 'Vanuit uw netwerk zijn te veel abonnementen aangevraagd. Probeer het over een uur opnieuw.',
};
