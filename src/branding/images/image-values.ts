/** Supported picture formats, by their media types. */
export const EXTENSIONS = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
} as const;

export type ImageType = keyof typeof EXTENSIONS;

export type ImageExtension = (typeof EXTENSIONS)[ImageType];

/** Maximum size of a picture in bytes. */
export const MAX_IMAGE_BYTES = 512 * 1024;

/** Maximum size of an SVG in bytes. */
export const MAX_SVG_BYTES = 100 * 1024;

/** Maximum width and height in pixels. */
export const MAX_SIDE = 4_096;

/** Maximum number of pixels, so that decoding takes at most 35 MB of memory. */
export const MAX_PIXELS = 4_096 * 1_024;

/** Description of a picture. */
export interface ImageInfo {
  /** First 16 hexadecimal digits of the SHA-256 hash. */
  hash: string;
  content_type: ImageType;
  /** In pixels; of an SVG, its own size in CSS pixels. */
  width: number;
  height: number;
  /** In bytes. */
  size: number;
}
