import type { FieldErrorCode } from './catalogue.js';
import { type FieldError, pointerTo, validationFailed } from './problem.js';

/** An id in a body, with its path there. */
export interface Reference {
  id: string;
  path: (string | number)[];
}

/** The references of a list of ids: `referencesIn(['monitor_ids'], ids)`. */
export function referencesIn(path: (string | number)[], ids: readonly string[]): Reference[] {
  return ids.map((id, index) => ({ id, path: [...path, index] }));
}

/**
 * Checks that ids in a body refer to existing resources:
 *
 *     throwIfUnknown(references, known, 'unknown_monitor', 'is not a monitor of the project');
 *
 * @throws Problem 400 `validation_failed` with an error for each id that is not in `known`
 */
export function throwIfUnknown(
  references: readonly Reference[],
  known: ReadonlySet<string>,
  code: FieldErrorCode,
  detail: string,
): void {
  const errors = references.flatMap(({ id, path }): FieldError[] =>
    known.has(id) ? [] : [{ code, detail, pointer: pointerTo(path) }],
  );
  if (errors.length > 0) throw validationFailed(errors);
}
