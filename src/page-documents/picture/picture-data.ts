import { headlineText } from '../../summaries/headline.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import { type Sign, signOf } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';

/** Everything that a link preview's picture shows. */
export interface PictureData {
  name: string;
  /** Shown instead of a name that our fonts cannot show. */
  slug: string;
  accent_color: string;
  sign: Sign;
  headline: string;
  /** Language of the headline. */
  language: string;
}

/** Returns the content of a page's picture. */
export function pictureOf(current: CurrentPart, { words }: View): PictureData {
  const { name, slug, accent_color } = current.page;
  const headline = headlineText(current.headline, current.incidents.length, words.headline);
  return { name, slug, accent_color, sign: signOf(current), headline, language: words.language };
}
