import { headlineText } from '../../summaries/headline.js';
import { MONITOR_STATUSES } from '../../monitors/monitor-status.js';
import type { ImageData } from '../../page-model/branding.js';
import type { CurrentPart, PageHead } from '../../page-model/page-data.js';
import { type Sign, signOf } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';

/** Space at the sides. */
export const MARGIN = 88;
/** Height of the band in the accent color. */
export const BAND = 156;
/** Height of the stripe in the accent color above a logo. */
export const STRIPE = 16;
/** Maximum size of a logo, which is enlarged twice at most. */
const LOGO = { width: 560, height: 92, scale: 2 };
/** Maximum number of monitors with names. The others have a number. */
const MAX_NAMES = 3;

/** Everything that a link preview's picture shows. */
export interface PictureData {
  name: string;
  /** Shown instead of a name that our fonts cannot show. */
  slug: string;
  /** Shown instead of the name. */
  logo: ImageData | null;
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
  const { language } = words;
  const logo = logoOf(current.page);
  return { name, slug, logo, accent_color, sign: signOf(current), headline, affected, language };
}

/**
 * Returns the logo that pictures show, which have a light background. Not an SVG: its drawing can take any time, and other
 * pictures wait.
 */
export function logoOf({ branding: { logo } }: Pick<PageHead, 'branding'>): ImageData | null {
  return logo?.extension === 'svg' ? null : logo;
}

function namesOfAffected({ sections }: CurrentPart): string[] {
  const monitors = new Map(
    sections.flatMap((section) => section.monitors).map((one) => [one.monitor_id, one]),
  );
  return MONITOR_STATUSES.filter((status) => status !== 'operational').flatMap((status) =>
    [...monitors.values()].filter((one) => one.status === status).map(({ name }) => name),
  );
}

/** Returns the place of a logo, in pixels. */
export function logoPlace({ width, height }: Pick<ImageData, 'width' | 'height'>) {
  const scale = Math.min(LOGO.width / width, LOGO.height / height, LOGO.scale);
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  return { ...size, left: MARGIN, top: Math.round((STRIPE + BAND - size.height) / 2) };
}
