const MAX_ITEMS = 5_000; // of a list; no file with more is imported
const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 200; // of a name
const MAX_COLLECTED_NAMES = 20_000; // names to gather, most of which are used: what a file says in bad faith is not counted to the end

/** The names of the fields in a file, and in its objects and lists of objects, that are not null; cut where they are long. */
export function collectFieldNames(file: object): Set<string> {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(file)) {
    const outer = truncate(name);
    names.add(outer);
    for (const one of Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value]) {
      if (typeof one !== 'object' || one === null) continue;
      for (const [field, content] of Object.entries(one)) {
        if (content !== null) names.add(`${outer}.${truncate(field)}`);
        if (names.size >= MAX_COLLECTED_NAMES) return names;
      }
    }
    if (names.size >= MAX_COLLECTED_NAMES) return names;
  }
  return names;
}

/** The names of what stands in a file and has no place here, so that nothing is dropped in silence. */
export function unusedFieldNames(given: ReadonlySet<string>, used: ReadonlySet<string>): string[] {
  const left = [...given].filter((name) => !used.has(name)).toSorted();
  const more = left.length - MAX_NAMES;
  if (more <= 0) return left;
  return [...left.slice(0, MAX_NAMES), `and ${given.size >= MAX_COLLECTED_NAMES ? 'many' : more} more`];
}

// Before names are joined: joined they could be as long as the file, each.
function truncate(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}
