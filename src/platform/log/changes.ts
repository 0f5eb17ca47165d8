import { isDeepStrictEqual } from 'node:util';

/** A change of a field. Without values if they are secret, an address, or longer than {@link MAX_VALUE_BYTES}. */
export interface FieldChange {
  from: unknown;
  to: unknown;
  is_omitted?: true;
}

/** Changed fields of a resource, by name. */
export type Changes = Record<string, FieldChange>;

/** Maximum length of both values of a field, as JSON. A row of the log stays below 20 kB, because few fields are that long. */
export const MAX_VALUE_BYTES = 4_000;

/** Fields that say nothing about a change: identity and times. */
export const UNLOGGED_FIELDS: readonly string[] = [
  'id',
  'project_id',
  'status_page_id',
  'incident_id',
  'maintenance_id',
  'created_at',
  'updated_at',
];

const OMITTED: FieldChange = { from: null, to: null, is_omitted: true };

/**
 * Returns the fields that differ between two versions of a resource.
 *
 *     changesOf({ name: 'API' }, { name: 'Web API' }); // { name: { from: 'API', to: 'Web API' } }
 *
 * @param before undefined: the resource is new
 * @param after undefined: the resource is deleted
 * @param hidden fields whose values are secrets or addresses
 */
export function changesOf(
  before: object | undefined,
  after: object | undefined,
  hidden: readonly string[] = [],
): Changes {
  const [former, next] = [valuesOf(before), valuesOf(after)];
  const names = new Set([...former.keys(), ...next.keys()]);
  for (const name of UNLOGGED_FIELDS) names.delete(name);
  const changed = [...names].filter((name) => !isDeepStrictEqual(former.get(name), next.get(name)));
  return Object.fromEntries(
    changed.map((name) => {
      const change = { from: former.get(name) ?? null, to: next.get(name) ?? null };
      return [name, hidden.includes(name) || isLong(change) ? OMITTED : change];
    }),
  );
}

/** Returns the fields of a resource as in its JSON. A field that is null is as one that is missing. */
function valuesOf(resource: object = {}): Map<string, unknown> {
  const json: Record<string, unknown> = JSON.parse(JSON.stringify(resource));
  return new Map(Object.entries(json).filter(([, value]) => value !== null));
}

function isLong({ from, to }: FieldChange): boolean {
  return Buffer.byteLength(JSON.stringify([from, to])) > MAX_VALUE_BYTES;
}
