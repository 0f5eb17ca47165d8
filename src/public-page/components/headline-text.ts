import type { CurrentPart } from '../data/page-data.js';
import { signOf } from '../documents/sign.js';
import type { View } from '../documents/view.js';

type Contents = Pick<CurrentPart, 'headline' | 'counts' | 'incidents'>;

/** Returns the headline of a page in the language of the view. In English, it is the headline of the API. */
export function headlineText({ words }: View, contents: Contents): string {
  if (words.language === 'en') return contents.headline.text;
  const { headline, counts, incidents } = contents;
  if (signOf(contents) === 'neutral') return words.open_incident_count(incidents.length);
  const isEmpty = counts.total === 0 && incidents.length === 0;
  return isEmpty ? words.no_systems_on_page : words.headline[headline.status];
}
