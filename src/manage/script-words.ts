/** Words that only the script of the console shows. */
export const SCRIPT_WORDS = {
  preview: 'As visitors see it',
} as const;
