import type { ImageData } from '../../page-model/branding.js';
import type { ImagePart } from '../../page-model/parts.js';
import type { View } from '../../page-model/view.js';

/** Returns the link to a picture of a page's branding. */
export function imageLink({ links }: View, name: ImagePart['name'], { hash, extension }: ImageData): string {
  return links.to({ kind: 'image', name, hash, extension });
}
