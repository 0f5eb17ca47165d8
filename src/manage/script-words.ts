/** Words that only the script of the console shows. */
export const SCRIPT_WORDS = {
  preview: 'As visitors see it',
  restored: 'What you typed before is back.',
  discard: 'Discard it',
} as const;
