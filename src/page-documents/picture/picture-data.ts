import { headlineText } from '../../summaries/headline.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import { type Sign, signOf } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';

/** Maximum number of monitors with names. The others have a number. */
const MAX_NAMES = 3;

/** Everything that a link preview's picture shows. */
export interface PictureData {
  name: string;
  /** Shown instead of a name that our fonts cannot show. */
  slug: string;
  accent_color: string;
  sign: Sign;
  headline: string;
  /** Monitors that are not operational, worst first, or an empty string. */
  affected: string;
  /** Language of the headline. */
  language: string;
}

/** Returns the content of a page's picture. */
export function pictureOf(current: CurrentPart, { words }: View): PictureData {
  const { name, slug, accent_color } = current.page;
  const headline = headlineText(current.headline, current.incidents.length, words.headline);
  const names = namesOfAffected(current);
  const others = names.length - MAX_NAMES;
  const shown = [...names.slice(0, MAX_NAMES), ...(others > 0 ? [words.others(others)] : [])];
  const affected = shown.join(words.comma);
  return { name, slug, accent_color, sign: signOf(current), headline, affected, language: words.language };
}

function namesOfAffected({ sections }: CurrentPart): string[] {
  const monitors = new Map(
    sections.flatMap((section) => section.monitors).map((one) => [one.monitor_id, one]),
  );
  return MONITOR_STATUSES.filter((status) => status !== 'operational').flatMap((status) =>
    [...monitors.values()].filter((one) => one.status === status).map(({ name }) => name),
  );
}
