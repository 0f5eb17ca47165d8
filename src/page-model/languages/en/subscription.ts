/** Words of the form and the pages of a subscription, in English. */
export const SUBSCRIPTION_EN = {
  /** Label of the address. */
  email: 'Email address',
  email_hint: 'We send you a link to confirm the address. Each email contains a link to unsubscribe.',
  /** Heading of the systems that the mail is about. */
  systems: 'Systems',
  all_systems: 'All systems',
  some_systems: 'Only these systems',
  /** Heading of the amount of mail. */
  amount: 'How much email',
  every_update: 'Every update',
  edges: 'Only the first and the last update',
  edges_hint: 'One email when an incident or maintenance begins, and one when it is over.',
  maintenances: 'Also send email about planned maintenance',
  email_empty: 'Enter your email address.',
  email_invalid: 'Enter an email address such as name@example.com.',
  systems_empty: 'Select at least one system.',
  choice_invalid: 'Select one of the options.',
  /** Above the list of errors. */
  errors: 'Correct these entries:',
  /** Response to each form, whether or not the address is known. */
  sent: 'Check your inbox',
  sent_text:
    'If we can send email to this address, you will receive a link within a few minutes. Open the link to continue. If no email arrives, check your spam.',
  /** Heading of the feeds and the calendar. */
  by_feed: 'Feeds and calendar',
  /** Title and button. */
  confirm: 'Confirm the subscription',
  /** Above the address. */
  confirm_text: 'Press the button to get updates at this address:',
  confirmed: 'You are subscribed',
  confirmed_text: 'Updates will be sent to this address:',
  /** Title of the page on which the subscription is changed. */
  manage: 'Your subscription',
  manage_link: 'Change or end the subscription',
  save: 'Save changes',
  saved: 'Your changes are saved.',
  /** Title and button. */
  unsubscribe: 'Unsubscribe',
  /** Above the address. */
  unsubscribe_text: 'Press the button to get no more email at this address:',
  unsubscribed: 'You are unsubscribed',
  unsubscribed_text: 'You get no more email from this status page. Your address is deleted.',
  /** Response to a link that is incomplete, or whose subscription has ended. */
  invalid: 'This link is no longer valid',
  invalid_text:
    'The link is incomplete, it has expired, or the subscription has ended. If you have unsubscribed, you get no more email.',
  /** Response if too many forms were sent from a network. */
  too_many: 'Too many subscriptions',
  too_many_text: 'Too many subscriptions were requested from your network. Try again in an hour.',
};

/** Words of subscriptions in a language. */
export type SubscriptionWords = typeof SUBSCRIPTION_EN;
