import type { ImageData } from '../data/branding.js';
import type { ImagePart } from '../documents/parts.js';
import type { View } from '../documents/view.js';

/** Returns the link to a picture of a page's branding. */
export function imageLink({ links }: View, name: ImagePart['name'], { hash, extension }: ImageData): string {
  return links.to({ kind: 'image', name, hash, extension });
}
