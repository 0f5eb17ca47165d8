import type { SubscriptionWords } from '../en/subscription.js';

/** German words of subscriptions. */
export const SUBSCRIPTION_DE: SubscriptionWords = {
  email: 'E-Mail-Adresse',
  email_hint:
    'Wir senden Ihnen einen Link, mit dem Sie die Adresse bestätigen. Jede E-Mail enthält einen Link zum Abbestellen.',
  systems: 'Systeme',
  all_systems: 'Alle Systeme',
  some_systems: 'Nur diese Systeme',
  amount: 'Wie viele E-Mails',
  every_update: 'Jede Meldung',
  edges: 'Nur die erste und die letzte Meldung',
  edges_hint: 'Eine E-Mail, wenn ein Vorfall oder eine Wartung beginnt, und eine am Ende.',
  maintenances: 'Auch E-Mails zu geplanten Wartungen senden',
  email_empty: 'Geben Sie Ihre E-Mail-Adresse ein.',
  email_invalid: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
  systems_empty: 'Wählen Sie mindestens ein System aus.',
  choice_invalid: 'Wählen Sie eine der Möglichkeiten aus.',
  errors: 'Korrigieren Sie diese Angaben:',
  sent: 'Sehen Sie in Ihrem Posteingang nach',
  sent_text:
    'Wenn wir an diese Adresse E-Mails senden können, erhalten Sie in einigen Minuten einen Link. Öffnen Sie ihn, um fortzufahren. Wenn keine E-Mail eintrifft, sehen Sie im Spam-Ordner nach.',
  by_feed: 'Feeds und Kalender',
  confirm: 'Abonnement bestätigen',
  confirm_text: 'Mit der Schaltfläche abonnieren Sie Meldungen an diese Adresse:',
  confirmed: 'Sie haben die Meldungen abonniert',
  confirmed_text: 'Meldungen gehen an diese Adresse:',
  manage: 'Ihr Abonnement',
  manage_link: 'Abonnement ändern oder beenden',
  save: 'Änderungen speichern',
  saved: 'Ihre Änderungen sind gespeichert.',
  unsubscribe: 'Abonnement beenden',
  unsubscribe_text: 'Mit der Schaltfläche beenden Sie alle E-Mails an diese Adresse:',
  unsubscribed: 'Ihr Abonnement ist beendet',
  unsubscribed_text: 'Sie erhalten keine E-Mails mehr von dieser Statusseite. Ihre Adresse ist gelöscht.',
  invalid: 'Dieser Link ist nicht mehr gültig',
  invalid_text:
    'Der Link ist unvollständig oder abgelaufen, oder das Abonnement ist beendet. Wenn Sie es beendet haben, erhalten Sie keine E-Mails mehr.',
  too_many: 'Zu viele Abonnements',
  too_many_text: 'Aus Ihrem Netzwerk kamen zu viele Anmeldungen. Versuchen Sie es in einer Stunde erneut.',
};
