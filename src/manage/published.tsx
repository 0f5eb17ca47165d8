import { Summary } from './fields.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

/** Kind of a review's button. */
export type Deed = 'published' | 'done';

/** Fields of a review's form with the numbers that it shows. */
export const REACH_FIELDS = { email: 'reach_email', webhook: 'reach_webhook' } as const;

/** Returns the path of the screen that follows a review, which confirms it with the review's numbers. */
export function confirmedPath(path: string, sent: URLSearchParams, deed: Deed = 'published'): string {
  const numbers = Object.entries(REACH_FIELDS).flatMap(([name, field]) => {
    const number = numberIn(sent, field);
    return number > 0 ? [[name, String(number)]] : [];
  });
  return `${path}?${new URLSearchParams([['done', deed], ...numbers])}`;
}

/** Renders the confirmation after a review. */
export function Published({ visit: { query } }: { visit: Visit }) {
  const deed = query.get('done');
  if (deed !== 'published' && deed !== 'done') return null;
  return <Summary role="status" text={words[deed](numberIn(query, 'email'), numberIn(query, 'webhook'))} />;
}

/** Returns a count in a form or a query; 0 without a valid one. */
function numberIn(values: URLSearchParams, name: string): number {
  const text = values.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
