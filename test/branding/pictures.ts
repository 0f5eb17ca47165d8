import sharp from 'sharp';

const SIZE = { width: 64, height: 32, channels: 4 as const, background: '#4f46e5' };

/** Small valid pictures of each format. */
export const PICTURES = {
  'image/png': await sharp({ create: SIZE }).png().toBuffer(),
  'image/jpeg': await sharp({ create: SIZE }).jpeg().toBuffer(),
  'image/webp': await sharp({ create: SIZE }).webp().toBuffer(),
  'image/svg+xml': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><path d="M0 0h64v32z"/></svg>',
  ),
};

/** An SVG with this content. */
export const svg = (content: string, attributes = 'width="64" height="32"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
