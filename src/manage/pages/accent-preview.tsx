import {
  asShape,
  asText,
  contrastOf,
  DARKEST_OF_LIGHT,
  LIGHTEST_OF_DARK,
  rgbOf,
  textOn,
} from '../../page-documents/components/accent.js';
import { WORDS } from '../words.js';

const words = WORDS.page.branding;

const SCHEMES = [
  { name: words.light, background: DARKEST_OF_LIGHT, unreadable: words.too_pale },
  { name: words.dark, background: LIGHTEST_OF_DARK, unreadable: words.too_dark },
];

/** Renders an accent color as visitors see it in both schemes, and whether it is readable as text. @param color `#rrggbb` */
export function AccentPreview({ color }: { color: string }) {
  return (
    <ul class="swatches">
      {SCHEMES.map(({ name, background, unreadable }) => {
        const [shape, text] = [asShape(color, background), asText(color, background)];
        return (
          <li>
            <svg class="swatch" viewBox="0 0 240 64" role="img" aria-label={words.sample(name)}>
              <rect width="240" height="64" fill={background} />
              <rect x="16" y="12" width="104" height="40" rx="4" fill={shape} />
              <text x="68" y="37" fill={textOn(shape)}>
                {words.sample_button}
              </text>
              <text class="link" x="180" y="37" fill={text}>
                {words.sample_link}
              </text>
            </svg>
            <p>
              {name}: {text === color ? words.readable : unreadable}{' '}
              <small class="quiet">{words.contrast(contrastOf(rgbOf(color), rgbOf(background)))}</small>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
