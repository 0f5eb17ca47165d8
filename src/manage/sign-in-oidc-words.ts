/** Words of the sign-in with OpenID Connect. */
export const SIGN_IN_OIDC_WORDS = {
  button: (name: string) => `Sign in with ${name}`,
  default_name: 'single sign-on',
  continue_title: 'Continue to sign in',
  continue_text: 'You sign in at',
  continue: 'Continue',
  continue_kept: 'Open a new tab to sign in',
  kept: 'What you wrote is kept here. Sign in there, then come back to this tab and continue.',
  choose_title: 'Choose an organization',
  choose_text: 'You are a member of several organizations.',
  choose: (organization: string) => `Sign in to ${organization}`,
  cancelled: 'You are not signed in. Try again, or sign in another way.',
  denied:
    'This account cannot sign in here. Ask an administrator to invite its email address, which the provider must have verified.',
  expired: 'This sign-in has expired. Start again.',
  provider: 'The provider does not respond as expected. Try again later, or sign in another way.',
} as const;
