import { type ImageType, MAX_PIXELS, MAX_SIDE } from './image-values.js';
import { invalidImage } from './invalid-image.js';

/** Name of each format in libvips. */
const FORMATS: Partial<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
};

/** Time after which libvips ends a decoding, in seconds. Pictures within the limits take at most 0.2 s. */
const TIMEOUT_SECONDS = 5;

/** Marker that begins a scan of a JPEG. Encoders write about ten. */
const SCAN = Buffer.from('ffda', 'hex');
const MAX_SCANS = 100;

/** Loads sharp on the first upload, because it takes 60 ms and 15 MB. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false); // pictures are never decoded twice
  return sharp;
}

/**
 * Checks a picture, and returns its size. Reads its size before it decodes it, and decodes it once, to find damage. libvips
 * decodes in a thread of libuv.
 * @param type as recognized by the first bytes
 * @throws Problem 400 `invalid_image`
 */
export async function checkRaster(
  bytes: Buffer,
  type: ImageType,
): Promise<{ width: number; height: number }> {
  checkPrivacy(bytes);
  if (type === 'image/jpeg' && scansIn(bytes) > MAX_SCANS) throwDamaged();
  const sharp = await loadSharp();
  const input = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
  const { format, width, height, pages = 1, autoOrient } = await input.metadata().catch(throwDamaged);
  if (format !== FORMATS[type]) throwDamaged();
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw invalidImage(
      `The picture must have at most ${MAX_SIDE} pixels on each side, and ${MAX_PIXELS} in total; it has ${width} × ${height}`,
    );
  if (pages > 1 || (type === 'image/png' && isAnimatedPng(bytes)))
    throw invalidImage('The picture must not be animated');
  // One channel takes a quarter of the memory.
  const decoding = input.extractChannel(0).raw().timeout({ seconds: TIMEOUT_SECONDS }).toBuffer();
  await decoding.catch(throwDamaged);
  return { width: autoOrient.width, height: autoOrient.height }; // as browsers show it
}

function throwDamaged(): never {
  throw invalidImage('The picture is damaged: it cannot be decoded completely');
}

/** The entry `GPSInfo` (0x8825, one LONG or IFD) of EXIF 3.0 in both byte orders, and the GPS fields of XMP. */
const PLACES = [
  ...['8825000400000001', '8825000d00000001', '2588040001000000', '25880d0001000000'].map((hex) =>
    Buffer.from(hex, 'hex'),
  ),
  Buffer.from('exif:GPS'),
];

/** Rejects a picture with the place where it was taken, because visitors receive the file as it is. */
function checkPrivacy(bytes: Buffer): void {
  if (PLACES.some((place) => bytes.includes(place)))
    throw invalidImage(
      'The picture contains the place where it was taken (GPS). Remove its metadata, for example with `exiftool -all= FILE`.',
    );
}

/**
 * Returns the number of scans of a JPEG. Each of them is a pass over all pixels, so 40,000 empty ones in 512 KiB take 14 s, which
 * neither libjpeg nor the timeout prevents. Compressed data never contain the marker.
 */
function scansIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(SCAN); at >= 0; at = bytes.indexOf(SCAN, at + 2)) count += 1;
  return count;
}

/** Returns whether a PNG has an animation control chunk, which precedes the image data. libvips reads only its first frame. */
function isAnimatedPng(bytes: Buffer): boolean {
  return bytes.subarray(0, bytes.indexOf('IDAT')).includes('acTL');
}
