import { createPatch, type Operation } from 'rfc6902';

/** Length from which a changed list is replaced as a whole, because the comparison takes quadratic time. */
const LONG = 50;

/** Returns the JSON Patch (RFC 6902) from a resource to another state. Without a resource, it adds the new one. */
export function changesOf(before: object | undefined, after: unknown): Operation[] {
  if (before === undefined) return [{ op: 'add', path: '', value: after }];
  return createPatch(before, after, (from, to, pointer) => {
    const isLong = Array.isArray(from) && Array.isArray(to) && Math.max(from.length, to.length) > LONG;
    if (!isLong) return undefined;
    const isEqual = JSON.stringify(from) === JSON.stringify(to);
    return isEqual ? [] : [{ op: 'replace', path: pointer.toString(), value: to }];
  });
}
