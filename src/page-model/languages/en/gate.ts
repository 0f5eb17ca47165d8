/** Words of a private page's gate, in English. */
export const GATE_EN = {
  /** Title of the gate. */
  title: 'This status page is private',
  /** If there is no other way in. */
  networks: 'It can only be seen from certain networks.',
  /** Label of the field. */
  password: 'Password',
  /** Button below the password. */
  open: 'View the status page',
  password_empty: 'Enter the password.',
  password_wrong: 'This password is wrong.',
  email_hint: 'If the address has access, we send it a link that works once.',
  /** Button below the address. */
  send: 'Send the link',
  /** Button that leads to the sign-in of another service. */
  single_sign_on: 'Continue with single sign-on',
  /** Below all ways in. */
  ask: 'If you have no access, ask the operator of this status page.',
};

/** Words of the gate in a language. */
export type GateWords = typeof GATE_EN;
