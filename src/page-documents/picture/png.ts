import type { AnyDocument, PageDocument } from '../../page-model/page-document.js';

const MAX_SECONDS = 10;

/**
 * Converts an SVG to a PNG, in sharp's threads. Must not run in a worker thread, because a thread that is ended during
 * a conversion would crash the process. Imports sharp on first use, because it would add 0.05 s of CPU time to the startup.
 */
export async function asPng({ body }: AnyDocument): Promise<PageDocument<Buffer>> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false); // no picture is converted twice
  const svg = typeof body === 'string' ? Buffer.from(body) : body;
  const picture = sharp(svg).timeout({ seconds: MAX_SECONDS }).removeAlpha();
  return { type: 'image/png', body: await picture.png({ compressionLevel: 9 }).toBuffer() };
}
