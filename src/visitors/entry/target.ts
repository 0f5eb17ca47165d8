import type { GateShell } from '../../page-documents/components/gate-page.js';
import { pathOf } from '../../page-model/parts.js';
import { requestedLanguage } from '../../page-model/requested-language.js';
import { wantedPart } from '../../page-model/wanted-part.js';

/** Returns the path below the page, with its query, of the part that a visitor wanted to see. Anything else leads to the overview. */
export function targetOf(to: string): string {
  return pathOf({ ...wantedPart(to), lang: requestedLanguage(to.slice(0, 200)) });
}

/** Returns a link to the wanted part, in the language in which the visitor wanted to see it. */
export function linkToTarget(
  { page, view: { links } }: Pick<GateShell, 'page' | 'view'>,
  to: string,
): string {
  const language = requestedLanguage(to);
  if (language === undefined) return links.to(wantedPart(to));
  const other = language === page.branding.language ? undefined : language;
  return (links.in?.(other) ?? links).to(wantedPart(to));
}
