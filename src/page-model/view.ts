import type { PageHead } from './page-data.js';
import type { Words } from './languages/en/page.js';
import { wordsOf } from './words.js';
import { type Dates, datesOf } from './dates.js';
import type { Links } from './links.js';

/** Links, words and dates of a document. Components receive it in addition to their data. */
export interface View {
  links: Links;
  words: Words;
  dates: Dates;
}

/** Returns the view of a page's document: in the language that the visitor has requested, or in the language of the page. */
export function viewOf(links: Links, { branding, as_of }: Pick<PageHead, 'branding' | 'as_of'>): View {
  const words = wordsOf(links.language ?? branding.language);
  return { links, words, dates: datesOf(words.language, branding.time_zone, as_of) };
}
