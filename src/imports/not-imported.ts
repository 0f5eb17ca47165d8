const MOST_LOOKED_AT = 5_000; // of a list; no file with more is imported
const MOST_NAMES = 1_000;
const MOST_CHARACTERS = 200; // of a name

/** The names of the fields in a file, and in its objects and lists of objects, that are not null. */
export function namesIn(file: object): Set<string> {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(file)) {
    names.add(name);
    for (const one of Array.isArray(value) ? value.slice(0, MOST_LOOKED_AT) : [value]) {
      if (typeof one !== 'object' || one === null) continue;
      for (const [field, content] of Object.entries(one)) if (content !== null) names.add(`${name}.${field}`);
    }
  }
  return names;
}

/** The names of what stands in a file and has no place here, so that nothing is dropped in silence. */
export function namesLeft(given: ReadonlySet<string>, used: ReadonlySet<string>): string[] {
  const left = [...given]
    .filter((name) => !used.has(name))
    .map((name) => (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS - 1)}…` : name))
    .toSorted();
  const more = left.length - MOST_NAMES;
  return more > 0 ? [...left.slice(0, MOST_NAMES), `and ${more} more`] : left;
}
