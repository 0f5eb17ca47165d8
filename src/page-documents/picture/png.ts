import type { ImageData } from '../../page-model/branding.js';
import type { AnyDocument, PageDocument } from '../../page-model/page-document.js';
import { logoPlace } from './picture-data.js';

const MAX_SECONDS = 10;

/** A logo with its file. */
export interface LogoFile extends Pick<ImageData, 'width' | 'height'> {
  bytes: Buffer;
}

/**
 * Converts the picture of a link preview from SVG to PNG, and adds the logo, in sharp's threads. Must not run in a worker thread, because a thread that is ended during
 * a conversion would crash the process. Imports sharp on first use, because it would add 0.05 s of CPU time to the startup.
 */
export async function asPng({ body }: AnyDocument, logo?: LogoFile): Promise<PageDocument<Buffer>> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false); // no picture is converted twice
  const svg = typeof body === 'string' ? Buffer.from(body) : body;
  const picture = sharp(svg).timeout({ seconds: MAX_SECONDS }).removeAlpha();
  if (logo) {
    const { left, top, width, height } = logoPlace(logo);
    const input = await sharp(logo.bytes).resize(width, height, { fit: 'fill' }).png().toBuffer();
    picture.composite([{ input, left, top }]);
  }
  return { type: 'image/png', body: await picture.png({ compressionLevel: 9 }).toBuffer() };
}
