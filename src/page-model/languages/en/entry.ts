/** Words of the ways into a private page, in English. */
export const ENTRY_EN = {
  /** Response to each form, whether or not the address has access. */
  sent: 'Check your inbox',
  sent_text:
    'If this address has access, an email with a link is on its way. The link works once, for 15 minutes. If no email arrives within a few minutes, check whether it went to spam.',
  /** Title and button of the page behind the link. */
  open: 'Open the status page',
  /** Above the address. */
  open_text: 'Press the button to open this status page as:',
  /** Response to a link that is incomplete, used or expired. */
  invalid: 'This link is no longer valid',
  invalid_text: 'The link is incomplete, it has expired, or it has been used. Request a new one.',
  /** Response if there were too many forms or sign-ins. `time` is such as `in 5 minutes`. */
  too_many: (time: string) => `There were too many attempts. Try again ${time}.`,
  /** After it, if there is another way in. */
  until_then: 'Until then, you can use another way in.',
  /** Page that leads to the sign-in of another service. */
  redirect: 'Sign in',
  redirect_text: 'You continue on the sign-in page of:',
  /** Link to the sign-in of another service. */
  continue: 'Continue',
  /** The other service has not signed the visitor in. */
  cancelled: 'You are not signed in',
  cancelled_text: 'The sign-in was cancelled, or your account may not use it.',
  /** The visitor is signed in, but has no access. */
  denied: 'This account has no access',
  denied_text: 'Sign in with another account, or ask the operator of this status page for access.',
  /** The sign-in took too long, or belongs to another browser. */
  expired: 'The sign-in has expired',
  expired_text: 'It took too long, or another sign-in has replaced it. Start again.',
  /** The other service does not respond, or its response is wrong. */
  failed: 'The sign-in does not work at the moment',
  failed_text: 'The service that signs you in does not respond as expected. Try again later.',
  /** Before a technical reason. */
  reason: 'Reason:',
  /** Link to the page with all ways in. */
  again: 'Back to the status page',
};

/** Words of the ways into a private page in a language. */
export type EntryWords = typeof ENTRY_EN;
