import type { SubscriptionWords } from '../en/subscription.js';

/** Italian words of subscriptions. */
export const SUBSCRIPTION_IT: SubscriptionWords = {
  email: 'Indirizzo e-mail',
  email_hint:
    'Ti inviamo un link per confermare l’indirizzo. Ogni e-mail contiene un link per annullare l’iscrizione.',
  systems: 'Sistemi',
  all_systems: 'Tutti i sistemi',
  some_systems: 'Solo questi sistemi',
  amount: 'Quante e-mail',
  every_update: 'Ogni aggiornamento',
  edges: 'Solo il primo e l’ultimo aggiornamento',
  edges_hint: 'Un’e-mail quando inizia un incidente o una manutenzione e una quando finisce.',
  maintenances: 'Invia anche le manutenzioni programmate',
  email_empty: 'Inserisci il tuo indirizzo e-mail.',
  email_invalid: 'Inserisci un indirizzo e-mail come nome@example.com.',
  systems_empty: 'Seleziona almeno un sistema.',
  choice_invalid: 'Seleziona una delle opzioni.',
  errors: 'Correggi questi dati:',
  sent: 'Controlla la posta in arrivo',
  sent_text:
    'Se questo indirizzo può ricevere gli aggiornamenti, è in arrivo un’e-mail con un link. Apri il link per continuare. Se non arriva entro pochi minuti, controlla la cartella dello spam.',
  by_feed: 'Feed e calendario',
  confirm: 'Conferma l’iscrizione',
  confirm_text: 'Premi il pulsante per ricevere gli aggiornamenti a questo indirizzo:',
  confirmed: 'Iscrizione confermata',
  confirmed_text: 'Gli aggiornamenti saranno inviati a questo indirizzo:',
  manage: 'La tua iscrizione',
  manage_link: 'Modifica o annulla l’iscrizione',
  save: 'Salva le modifiche',
  saved: 'Le modifiche sono state salvate.',
  unsubscribe: 'Annulla l’iscrizione',
  unsubscribe_text: 'Premi il pulsante per non ricevere più e-mail a questo indirizzo:',
  unsubscribed: 'Iscrizione annullata',
  unsubscribed_text:
    'Non riceverai altre e-mail da questa pagina di stato. Il tuo indirizzo è stato eliminato.',
  invalid: 'Questo link non è più valido',
  invalid_text:
    'Il link è incompleto o scaduto, oppure l’iscrizione è terminata. Se hai annullato l’iscrizione, non riceverai altre e-mail.',
  too_many: 'Troppe iscrizioni',
  too_many_text: 'Sono state richieste troppe iscrizioni dalla tua rete. Riprova tra un’ora.',
};
