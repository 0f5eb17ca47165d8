import type { Place } from '../../platform/server/fair-queue.js';
import { isGuessable, type Part } from '../../page-model/parts.js';
import type { HeldPage } from './copy.js';

/**
 * Returns the turn of a rendering that is stored for all visitors. Parts with an ID or a month come last, because visitors can guess
 * any number of their paths. This way, such requests do not block the page itself.
 */
export function placeOfRendering({ owner, id }: Pick<HeldPage, 'owner' | 'id'>, part: Part): Place {
  return { owner, lane: id, rank: isGuessable(part) ? 'last' : 'first' };
}
