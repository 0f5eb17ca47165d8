import type { FieldErrorCode } from './catalogue.js';
import { type FieldError, pointerTo, validationFailed } from './problem.js';

/** An ID in a body, and its path. */
export interface Reference {
  id: string;
  path: (string | number)[];
}

/** Returns the references of a list of IDs: `referencesIn(['monitor_ids'], ids)`. */
export function referencesIn(path: (string | number)[], ids: readonly string[]): Reference[] {
  return ids.map((id, index) => ({ id, path: [...path, index] }));
}

/**
 * Checks that IDs in a body reference existing resources:
 *
 *     throwIfUnknown(references, known, 'unknown_monitor', 'is not a monitor of the project');
 *
 * @throws Problem 400 `validation_failed` with an error for each ID that is not in `known`
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
