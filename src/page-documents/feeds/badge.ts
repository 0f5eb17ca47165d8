import { makeBadge } from 'badge-maker';
import type { PageDocument } from '../../page-model/page-document.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import { type Sign, signOf } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';

/** Maximum length of the name on a badge, in user-perceived characters. */
const MAX_LABEL = 40;

/** Minimum refresh interval of Shields, in seconds. */
const CACHE_SECONDS = 300;

/**
 * Colors of signs. Their text is white, or dark on bright colors; badge-maker selects it. Each color has a contrast of at
 * least 4.5 to 1 with its text (WCAG 1.4.3).
 */
const COLORS: Record<Sign, string> = {
  major_outage: '#c81e1e',
  partial_outage: '#b45309',
  degraded_performance: '#ffd166',
  unknown: '#5f6772',
  neutral: '#3f5873',
  under_maintenance: '#1d4ed8',
  operational: '#15803d',
};

const LABEL_COLOR = '#444';

/** Renders a badge as SVG: the name of the page and its status in words, which are also its title and its accessible name. */
export function badgeSvg(current: CurrentPart, view: View): PageDocument {
  return { type: 'image/svg+xml', body: makeBadge({ ...badgeOf(current, view), labelColor: LABEL_COLOR }) };
}

/** Renders the JSON for the endpoint badges of Shields (shields.io/badges/endpoint-badge). */
export function badgeJson(current: CurrentPart, view: View): PageDocument {
  const badge = { schemaVersion: 1, ...badgeOf(current, view), cacheSeconds: CACHE_SECONDS };
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(badge) };
}

function badgeOf(current: CurrentPart, view: View): { label: string; message: string; color: string } {
  const sign = signOf(current);
  const message =
    sign === 'neutral'
      ? view.words.headline.open_incidents(current.incidents.length)
      : view.words.status_in_text[sign];
  return { label: shortened(current.page.name), message, color: COLORS[sign] };
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns a name on one line, truncated without splitting a character. */
function shortened(name: string): string {
  const characters = [...GRAPHEMES.segment(name.replaceAll(/\s+/g, ' ').trim())];
  if (characters.length <= MAX_LABEL) return characters.map(({ segment }) => segment).join('');
  const kept = characters.slice(0, MAX_LABEL - 1).map(({ segment }) => segment);
  return `${kept.join('').trimEnd()}…`;
}
