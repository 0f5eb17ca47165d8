import { pathOf } from '../../public-page/documents/parts.js';
import { requestedLanguage } from '../../public-page/documents/requested-language.js';
import type { View } from '../../public-page/documents/view.js';
import { wantedPart } from '../../public-page/documents/wanted-part.js';

/** Returns the path below the page, with its query, of the part that a visitor wanted to see. Anything else leads to the overview. */
export function targetOf(to: string): string {
  return pathOf({ ...wantedPart(to), lang: requestedLanguage(to.slice(0, 200)) });
}

/** Returns a link to the wanted part, in the language in which the visitor wanted to see it. */
export function linkToTarget({ links }: View, to: string): string {
  const language = requestedLanguage(to);
  const inLanguage = language === undefined ? links : (links.in?.(language) ?? links);
  return inLanguage.to(wantedPart(to));
}
