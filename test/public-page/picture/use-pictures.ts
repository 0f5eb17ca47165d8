import sharp from 'sharp';
import { useFeeds } from '../feeds/use-feeds.js';

/** Colors of the signs. */
export const SIGN_COLORS = {
  operational: '#27a268',
  degraded_performance: '#bf8210',
  partial_outage: '#e0571c',
  major_outage: '#c8233f',
  under_maintenance: '#4174d9',
  unknown: '#868c95',
  neutral: '#64748b',
};

/** Height of the band in the accent color. */
export const BAND = 156;

/** A decoded picture. */
export class Picture {
  constructor(
    private readonly pixels: Buffer,
    readonly width: number,
    readonly height: number,
  ) {}

  /** Returns the colors in a rectangle, `#rrggbb`, with their number of pixels. */
  colorsIn(left: number, top: number, right: number, bottom: number): Map<string, number> {
    const counts = new Map<number, number>();
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) {
        const color = this.pixels.readUIntBE((y * this.width + x) * 3, 3);
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
    return new Map([...counts].map(([color, count]) => [`#${color.toString(16).padStart(6, '0')}`, count]));
  }

  /** Colors of the band with the name. */
  get band(): Map<string, number> {
    return this.colorsIn(0, 0, this.width, BAND);
  }

  /** All colors. */
  get colors(): Map<string, number> {
    return this.colorsIn(0, 0, this.width, this.height);
  }
}

/** Decodes a PNG. */
export async function decoded(png: Buffer): Promise<Picture> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels`);
  return new Picture(data, info.width, info.height);
}

/** A server with status pages, and helpers to read their pictures as a visitor. */
export function usePictures() {
  const feeds = useFeeds();

  /** Requests the picture of a page. */
  async function pngOf(slug: string): Promise<Buffer> {
    const response = await feeds.visit(slug, '/og-image.png');
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  const pictureOf = async (slug: string): Promise<Picture> => decoded(await pngOf(slug));

  return { ...feeds, pngOf, pictureOf };
}
