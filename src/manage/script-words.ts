/** Words that only the script of the console shows. */
export const SCRIPT_WORDS = {
  preview: 'As visitors see it',
  restored: 'What you typed before is back.',
  /** After a row was moved. `{at}`: its position, `{of}`: the number of rows. */
  moved: '{name} is now number {at} of {of}.',
  color: 'Choose the accent color',
  discard: 'Discard it',
} as const;
