/** Languages of public pages: tags of BCP 47. `zh` is Simplified Chinese. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh'] as const;

export type Language = (typeof LANGUAGES)[number];
