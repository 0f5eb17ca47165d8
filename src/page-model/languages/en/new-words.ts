/**
 * English words that at least one language does not contain yet, and then uses instead. Translate a word in `page.ts` of each
 * language, and move it to `page.ts` of English when all have it.
 */
export const NEW_WORDS = {};
