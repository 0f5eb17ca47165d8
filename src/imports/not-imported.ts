const MAX_ITEMS = 5_000; // of a list; longer lists are not imported
const MAX_NAMES = 1_000;
const MAX_NAME_LENGTH = 200;
const MAX_COLLECTED_NAMES = 20_000; // bounds the work for a hostile file

/**
 * Returns the field names of a file, including nested ones (`endpoints.name`), but without nested fields whose value is null.
 * Truncates names to 200 characters.
 */
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

/** Returns the names of fields that were not imported, for the import summary. */
export function unusedFieldNames(names: ReadonlySet<string>, used: ReadonlySet<string>): string[] {
  const unused = [...names].filter((name) => !used.has(name)).toSorted();
  const more = unused.length - MAX_NAMES;
  if (more <= 0) return unused;
  return [...unused.slice(0, MAX_NAMES), `and ${names.size >= MAX_COLLECTED_NAMES ? 'many' : more} more`];
}

// Truncate before joining, because each joined name could be as long as the file.
function truncate(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** Counts the truncated and omitted parts of a file, for the import summary: `incidents.name (2 cut to 200 characters)`. */
export class Omissions {
  private readonly counts = new Map<string, Map<string, number>>();

  add(field: string, what: string, count = 1): void {
    if (count <= 0) return;
    const own = this.counts.get(field) ?? new Map<string, number>();
    own.set(what, (own.get(what) ?? 0) + count);
    this.counts.set(field, own);
  }

  list(): string[] {
    return [...this.counts].flatMap(([field, own]) =>
      [...own].map(([what, count]) => `${field} (${count} ${what})`),
    );
  }
}
