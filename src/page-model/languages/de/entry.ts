import type { EntryWords } from '../en/entry.js';

/** German words of the ways into a private page. */
export const ENTRY_DE: EntryWords = {
  sent: 'Sehen Sie in Ihr Postfach',
  sent_text:
    'Wenn diese Adresse Zugang hat, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal und 15 Minuten lang. Wenn in den nächsten Minuten keine E-Mail ankommt, sehen Sie im Spam-Ordner nach.',
  open: 'Statusseite öffnen',
  open_text: 'Öffnen Sie diese Statusseite mit der Schaltfläche als:',
  invalid: 'Dieser Link ist nicht mehr gültig',
  invalid_text: 'Der Link ist unvollständig, abgelaufen oder bereits benutzt. Fordern Sie einen neuen an.',
  too_many: (time) => `Es gab zu viele Versuche. Versuchen Sie es ${time} erneut.`,
  until_then: 'Bis dahin können Sie einen anderen Zugang nutzen.',
  redirect: 'Anmelden',
  redirect_text: 'Weiter geht es auf der Anmeldeseite von:',
  continue: 'Weiter',
  cancelled: 'Sie sind nicht angemeldet',
  cancelled_text: 'Die Anmeldung wurde abgebrochen, oder Ihr Konto darf sie nicht benutzen.',
  denied: 'Dieses Konto hat keinen Zugang',
  denied_text:
    'Melden Sie sich mit einem anderen Konto an, oder bitten Sie den Betreiber dieser Statusseite um Zugang.',
  expired: 'Die Anmeldung ist abgelaufen',
  expired_text: 'Sie hat zu lange gedauert oder wurde durch eine andere ersetzt. Beginnen Sie von vorn.',
  failed: 'Die Anmeldung funktioniert gerade nicht',
  failed_text: 'Der Dienst, der Sie anmeldet, antwortet nicht wie erwartet. Versuchen Sie es später erneut.',
  reason: 'Grund:',
  again: 'Zurück zur Statusseite',
};
