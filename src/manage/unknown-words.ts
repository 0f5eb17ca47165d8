/** Words of the screen for an address that leads to nothing. */
export const UNKNOWN_WORDS = {
  title: 'There is no such screen',
  text: 'The address has a typing error, or the screen has moved.',
  form: 'This is the address of a form, which cannot be opened by itself.',
} as const;
