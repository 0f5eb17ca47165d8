import { isHtml, type Part, partAt } from './parts.js';

/**
 * Returns the part that a visitor wanted to see before the gate of a private page, by its path below the page with its query, as a
 * form contains it. Returns the overview for any other text, so that a form leads to no other site or page.
 */
export function wantedPart(to: string): Part {
  const [path = '', query = ''] = to.slice(0, 200).split('?', 2);
  const part = partAt(path, new URLSearchParams(query).get('month'));
  return part && isHtml(part) ? part : { kind: 'overview' };
}
