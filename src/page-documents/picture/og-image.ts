import { textOn } from '../components/accent.js';
import { signPaths } from '../components/status-shapes.js';
import type { CurrentPart } from '../../page-model/page-data.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { OG_IMAGE_SIZE } from '../../page-model/parts.js';
import type { View } from '../../page-model/view.js';
import { charactersOf, ellipsis } from './characters.js';
import type { HanLanguage } from './fonts.js';
import { fit, type FittedText, type Space } from './lines.js';
import { BAND, MARGIN, pictureOf, STRIPE } from './picture-data.js';
import { drawLine, startsRight, widthOf } from './typesetter.js';

const { width: WIDTH, height: HEIGHT } = OG_IMAGE_SIZE;
const GROUND = '#fcfcfa';
const TEXT = '#15171a';
const QUIET = '#5c626b';
const RULE = '#e2e2dd';
/** Glyphs can exceed their width and line height by this much, in pixels. */
const OVERHANG = 8;
const SHAPE = 108;
const GAP = 52;

const NAME: Space = { width: WIDTH - 2 * MARGIN, lines: 1, sizes: [54, 46] };
const HEADLINE: Space = { width: WIDTH - 2 * MARGIN, lines: 2, sizes: [88, 76, 64] };
const AFFECTED: Space = { width: WIDTH - 2 * MARGIN, lines: 1, sizes: [46] };
/** Distance between baselines, and height of capital letters, relative to the font size. */
const LINE_HEIGHT = 1.16;
const CAP_HEIGHT = 0.73;

/** Maximum number of characters. Longer texts do not fit. */
const MAX_NAME = 70;
const MAX_HEADLINE = 120;
const MAX_AFFECTED = 120;

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Draws the picture of a link preview as SVG, without the logo. All text is paths, so nothing in a name can become markup.
 */
export async function ogImage(current: CurrentPart, view: View): Promise<PageDocument> {
  const { name, slug, logo, accent_color, sign, headline, affected, language } = pictureOf(current, view);
  const han: HanLanguage = language === 'ja' || JAPANESE.test(name + headline + affected) ? 'ja' : 'other';
  const title = (await charactersOf(name, han, MAX_NAME)) ?? (await charactersOf(slug, han, MAX_NAME)) ?? [];
  const status = (await charactersOf(headline, han, MAX_HEADLINE)) ?? [];
  const names = (affected && (await charactersOf(affected, han, MAX_AFFECTED))) || [];
  const end = await ellipsis();
  const isRight = startsRight(status);
  /** Draws lines below each other, at the side where the headline's language begins. */
  const draw = ({ size, lines }: FittedText, baseline: number) =>
    lines.map((line, index) =>
      drawLine(line, {
        size,
        x: isRight ? WIDTH - MARGIN - widthOf(line) * size : MARGIN,
        baseline: baseline + size * LINE_HEIGHT * index,
      }),
    );

  const top = fit(title, NAME, end);
  const main = fit(status, HEADLINE, end);
  const below = fit(names, AFFECTED, end);
  const more = names.length > 0 ? GAP + below.size * CAP_HEIGHT : 0;
  const height = SHAPE + GAP + main.size * (CAP_HEIGHT + LINE_HEIGHT * (main.lines.length - 1)) + more;
  const y = BAND + (HEIGHT - BAND - height) / 2;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<rect width="100%" height="100%" fill="${GROUND}"/>
<rect width="100%" height="${logo ? STRIPE : BAND}" fill="${accent_color}"/>
<rect width="100%" y="${BAND}" height="2" fill="${RULE}"/>
<clipPath id="band"><rect x="${MARGIN - OVERHANG}" y="${OVERHANG}" width="${NAME.width + 2 * OVERHANG}" height="${BAND - 2 * OVERHANG}"/></clipPath>
<g fill="${textOn(accent_color)}" clip-path="url(#band)">${logo ? '' : draw(top, (BAND + top.size * CAP_HEIGHT) / 2).join('')}</g>
<g transform="translate(${isRight ? WIDTH - MARGIN - SHAPE : MARGIN} ${y}) scale(${SHAPE / 20})">${signPaths(sign)}</g>
<g fill="${TEXT}">${draw(main, y + SHAPE + GAP + main.size * CAP_HEIGHT).join('')}</g>
<g fill="${QUIET}">${draw(below, y + height).join('')}</g>
</svg>`;
  return { type: 'image/svg+xml', body };
}
