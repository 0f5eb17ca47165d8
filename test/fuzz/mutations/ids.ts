import type { Draft } from '../drafts.js';
import { objectOf } from '../nasty.js';
import { type Change, type Hostile, parametersOf } from './change.js';

export const unknownId = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';

/**
 * Inserts an ID of the other tenant, or an unknown one, where one is expected: into the path, the query or the body.
 */
export function withId(draft: Draft, context: Hostile, id: (list: string) => string): void {
  const { choose } = context;
  const [place] = parametersOf(draft);
  if (place !== undefined) draft.segments[place] = id(draft.segments.slice(0, place).join('/'));
  const listOf = (name: string): string => `/v1/${name.replace(/_ids?$/, '').replaceAll('_', '-')}s`;
  if (place === undefined || choose.chance(40)) {
    draft.query = draft.query.map(([name, value]) =>
      name.endsWith('_id') ? [name, id(listOf(name))] : [name, value],
    );
    const visit = (node: unknown, field: string): unknown => {
      if (typeof node === 'string') return /_ids?$/.test(field) ? id(listOf(field)) : node;
      if (Array.isArray(node)) return node.map((item) => visit(item, field));
      if (typeof node !== 'object' || node === null) return node;
      return objectOf(
        Object.entries(node).map(([key, child]): [string, unknown] => [key, visit(child, key)]),
      );
    };
    draft.json = visit(draft.json, '');
  }
}

/** IDs of the other tenant. */
export const FOREIGN: Change[] = [
  (draft, context) =>
    withId(draft, context, (list) => {
      const { choose, foreign } = context;
      // Below a resource of the other tenant, this tenant does not know the list.
      const item = foreign.choose(choose, list) ?? foreign.choose(choose, '/v1/projects');
      return String(item?.['id'] ?? unknownId);
    }),
];
