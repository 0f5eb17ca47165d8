import type { EntryWords } from '../en/entry.js';

/** Italian words of the ways into a private page. */
export const ENTRY_IT: EntryWords = {
  sent: 'Controlla la posta',
  sent_text:
    'Se questo indirizzo ha accesso, è in arrivo un’e-mail con un link. Il link funziona una sola volta, per 15 minuti. Se non arriva entro qualche minuto, controlla la cartella dello spam.',
  open: 'Apri la pagina di stato',
  open_text: 'Premi il pulsante per aprire questa pagina di stato come:',
  invalid: 'Questo link non è più valido',
  invalid_text: 'Il link è incompleto, scaduto o già usato. Richiedine uno nuovo.',
  too_many: (time) => `Ci sono stati troppi tentativi. Riprova ${time}.`,
  until_then: 'Fino ad allora, puoi accedere in un altro modo.',
  redirect: 'Accedi',
  redirect_text: 'Prosegui nella pagina di accesso di:',
  continue: 'Continua',
  cancelled: 'Non hai effettuato l’accesso',
  cancelled_text: 'L’accesso è stato annullato, o il tuo account non può usarlo.',
  denied: 'Questo account non ha accesso',
  denied_text: 'Accedi con un altro account, o chiedi l’accesso al gestore di questa pagina di stato.',
  expired: 'L’accesso è scaduto',
  expired_text: 'Ha richiesto troppo tempo, o un altro lo ha sostituito. Ricomincia.',
  failed: 'L’accesso al momento non funziona',
  failed_text: 'Il servizio di accesso non risponde come previsto. Riprova più tardi.',
  reason: 'Motivo:',
  again: 'Torna alla pagina di stato',
};
