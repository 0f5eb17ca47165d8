import type { Draft, Keys } from '../drafts.js';
import type { Known } from '../known.js';
import type { Context } from '../values.js';

/** Data available to changes of a request, besides the knowledge of its tenant. */
export interface Hostile extends Context {
  keys: Keys;
  /** The knowledge of another tenant. */
  foreign: Known;
}

export type Change = (draft: Draft, context: Hostile) => void;

/** The positions of the parameters in the path. */
export function parametersOf({ operation: { path }, segments }: Draft): number[] {
  const template = path.split('/');
  return segments.flatMap((_, at) => (template[at]?.startsWith('{') ? [at] : []));
}
