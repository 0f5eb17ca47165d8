import slugify from '@sindresorhus/slugify';
import { withSuffix } from '../platform/validation/slug.js';

/**
 * Returns the key of an imported monitor, derived from its name or from its key in the file: `Core API` becomes `core-api`.
 * Returns null if the text contains nothing that a key can contain.
 */
export function keyOf(text: string): string | null {
  return withSuffix(slugify(text, { decamelize: false }), '') || null;
}
