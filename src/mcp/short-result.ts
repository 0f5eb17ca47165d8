/** Maximum size of a tool's response in bytes. It contains the result as structured content and as a text. */
const MAX_BYTES = 9_900;

/** Maximum lengths of strings and lists, in the order of the attempts. No ID or time is longer than the shortest string. */
const LIMITS = [
  { characters: 2_000, items: 50 },
  { characters: 500, items: 25 },
  { characters: 200, items: 10 },
  { characters: 100, items: 3 },
  { characters: 40, items: 1 },
];

/** Returns whether a result is short enough for the context of a model. */
export function isShort(result: object): boolean {
  return Buffer.byteLength(JSON.stringify([result, JSON.stringify(result)])) <= MAX_BYTES;
}

/** Returns the number of items at the start of a long list that fit into a response: at least 1, fewer than all. */
export function fitting(result: object, items: readonly unknown[]): number {
  let [fits, tooMany] = [1, items.length];
  while (tooMany - fits > 1) {
    const count = Math.floor((fits + tooMany) / 2);
    if (isShort({ ...result, data: items.slice(0, count) })) fits = count;
    else tooMany = count;
  }
  return fits;
}

/**
 * Shortens the long texts and lists of a result until the response has at most 10 kB, and adds `shortened: true`. A list of results
 * itself is not shortened, because its cursor would skip the rest.
 */
export function shortened<Result extends { data: unknown }>(result: Result): Result {
  if (isShort(result)) return result;
  let short = result;
  for (const limits of LIMITS) {
    const data = Array.isArray(result.data)
      ? result.data.map((item: unknown) => cut(item, limits))
      : cut(result.data, limits);
    const effects = 'dry_run' in result ? { dry_run: cut(result.dry_run, limits) } : {};
    short = { ...result, data, ...effects, shortened: true };
    if (isShort(short)) break;
  }
  return short;
}

function cut(value: unknown, limits: (typeof LIMITS)[number]): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.characters) return value;
    // Without half of a surrogate pair.
    return `${value.slice(0, limits.characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  }
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item: unknown) => cut(item, limits));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, limits)]));
}
