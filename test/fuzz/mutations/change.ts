import type { Draft, Keys } from '../drafts.js';
import type { Known } from '../known.js';
import type { Context } from '../values.js';

/** What changes of a request have at hand, beside what its tenant knows. */
export interface Hostile extends Context {
  keys: Keys;
  /** What the tenant next door knows. */
  foreign: Known;
}

export type Change = (draft: Draft, context: Hostile) => void;

/** The places of the path that are parameters. */
export function parametersOf({ operation: { path }, segments }: Draft): number[] {
  const template = path.split('/');
  return segments.flatMap((_, at) => (template[at]?.startsWith('{') ? [at] : []));
}
