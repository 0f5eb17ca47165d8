import type { EntryWords } from '../en/entry.js';

/** German words of the ways into a private page. */
export const ENTRY_DE: EntryWords = {
  sent: 'Sehen Sie in Ihrem Posteingang nach',
  sent_text:
    'Wenn diese Adresse Zugang hat, ist eine E-Mail mit einem Link unterwegs. Der Link ist 15 Minuten gültig und funktioniert einmal. Wenn in einigen Minuten keine E-Mail eintrifft, sehen Sie im Spam-Ordner nach.',
  open: 'Statusseite öffnen',
  open_text: 'Mit der Schaltfläche öffnen Sie diese Statusseite als:',
  invalid: 'Dieser Link ist nicht mehr gültig',
  invalid_text:
    'Der Link ist unvollständig, abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.',
  too_many: (time) => `Es gab zu viele Versuche. Versuchen Sie es ${time} erneut.`,
  until_then: 'Bis dahin können Sie einen anderen Zugang nutzen.',
  redirect: 'Anmelden',
  redirect_text: 'Sie werden zur Anmeldeseite dieses Dienstes weitergeleitet:',
  continue: 'Weiter',
  cancelled: 'Sie sind nicht angemeldet',
  cancelled_text: 'Die Anmeldung wurde abgebrochen, oder Ihr Konto ist dafür nicht freigegeben.',
  denied: 'Dieses Konto hat keinen Zugang',
  denied_text:
    'Melden Sie sich mit einem anderen Konto an, oder bitten Sie den Betreiber dieser Statusseite um Zugang.',
  expired: 'Die Anmeldung ist abgelaufen',
  expired_text:
    'Sie hat zu lange gedauert, oder eine andere Anmeldung hat sie ersetzt. Beginnen Sie von vorn.',
  failed: 'Die Anmeldung funktioniert gerade nicht',
  failed_text: 'Der Dienst, der Sie anmeldet, antwortet nicht wie erwartet. Versuchen Sie es später erneut.',
  reason: 'Grund:',
  again: 'Zurück zur Statusseite',
};
