import { isMonth } from './months.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import type { Part } from './parts.js';

/** A path with an ID. */
const WITH_ID = /^\/(monitors|incidents|maintenances)\/([^/?]+)$/;

const KINDS: Readonly<Record<string, 'monitor' | 'incident' | 'maintenance'>> = {
  monitors: 'monitor',
  incidents: 'incident',
  maintenances: 'maintenance',
};

/**
 * Returns the part that a visitor wanted to see before the gate of a private page, by its path below the page with its query, as a
 * form contains it. Returns the overview for any other text, so that a form leads to no other site or page.
 */
export function wantedPart(to: string): Part {
  const [path = '', query = ''] = to.slice(0, 200).split('?', 2);
  const [, folder = '', id = ''] = WITH_ID.exec(path) ?? [];
  const kind = KINDS[folder];
  if (kind && UUID_PATTERN.test(id) && id === id.toLowerCase()) return { kind, id };
  if (path === '/subscribe') return { kind: 'subscribe' };
  const month = new URLSearchParams(query).get('month') ?? '';
  if (path === '/history' && isMonth(month, new Date())) return { kind: 'history', month };
  return { kind: 'overview' };
}
