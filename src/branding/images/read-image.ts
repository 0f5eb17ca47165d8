import { createHash } from 'node:crypto';
import { Problem } from '../../platform/problems/problem.js';
import { type ImageType, MAX_SVG_BYTES, type ImageInfo } from './image-values.js';
import { checkRaster } from './raster.js';
import type { SvgSize } from './svg-size.js';

/** First bytes of each format, in Latin-1. */
const SIGNATURES: [type: ImageType, pattern: RegExp][] = [
  ['image/png', /^\x89PNG\r\n\W\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // XML, after a byte order mark and white space.
  ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*<(?!!doctype\s+html|html)[!?:\w]/i],
];

/** Length that contains the signature of each format. */
const SIGNATURE_BYTES = 256;

/** Checks an SVG outside of the event loop, and returns its size. @throws Problem 400 `invalid_image` */
export type CheckSvg = (bytes: Uint8Array) => Promise<SvgSize>;

/**
 * Checks a picture in the body of a request, and returns its description. Recognizes its format by the content.
 * @throws Problem 415 `unsupported_media_type`; 413 `payload_too_large`; 400 `invalid_image`
 */
export async function readImage(bytes: Buffer, checkSvg: CheckSvg): Promise<ImageInfo> {
  const content_type = typeOf(bytes);
  const { width, height } = await sizeOf(bytes, content_type, checkSvg);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { hash, content_type, width, height, size: bytes.length };
}

function typeOf(bytes: Buffer): ImageType {
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  const [type] = SIGNATURES.find(([, pattern]) => pattern.test(start)) ?? [];
  if (type) return type;
  throw new Problem('unsupported_media_type', {
    detail:
      bytes.length === 0
        ? 'The body is empty; expected a picture'
        : 'The content of the body must be a PNG, JPEG, WebP or SVG picture, without compression',
  });
}

async function sizeOf(bytes: Buffer, type: ImageType, checkSvg: CheckSvg): Promise<SvgSize> {
  if (type !== 'image/svg+xml') return checkRaster(bytes, type);
  if (bytes.length > MAX_SVG_BYTES)
    throw new Problem('payload_too_large', {
      detail: `An SVG must have at most ${MAX_SVG_BYTES} bytes. Simplify it, or send a PNG or WebP.`,
    });
  return checkSvg(bytes);
}
