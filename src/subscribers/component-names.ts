/** A monitor and its name. */
interface Named {
  id: string;
  name: string;
}

const DELIMITER = /[,;\r\n]/;

const partsOf = (text: string): string[] =>
  text
    .split(DELIMITER)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const keyOf = (parts: string[]): string => parts.join('\n');

/**
 * Finds monitors by lists of names, separated by commas or semicolons. Names can also contain these. The longest known names
 * win: with the monitors `Issues, PRs` and `Issues`, the list `Issues, PRs, Issues` contains both.
 */
export class ComponentNames {
  private readonly ids = new Map<string, string[]>();
  /** Numbers of parts of the names, largest first. */
  private readonly lengths: number[];

  constructor(monitors: readonly Named[]) {
    const lengths = new Set<number>();
    for (const { id, name } of monitors) {
      const parts = partsOf(name);
      lengths.add(parts.length);
      this.ids.set(keyOf(parts), [...(this.ids.get(keyOf(parts)) ?? []), id]);
    }
    this.lengths = [...lengths].filter((length) => length > 0).toSorted((one, other) => other - one);
  }

  /** Returns the IDs of all monitors with the names in a list, or null if a part of it belongs to no name. */
  idsIn(list: string): string[] | null {
    const parts = partsOf(list);
    const nameAt = (first: number, length: number) => keyOf(parts.slice(first, first + length));
    // Number of parts of the name that begins at each part. From the end, so that no name leaves a rest that is not a name.
    const lengths: (number | undefined)[] = [];
    for (let first = parts.length - 1; first >= 0; first--)
      lengths[first] = this.lengths.find((length) => {
        const next = first + length;
        const isRestKnown = next === parts.length || lengths[next] !== undefined;
        return isRestKnown && this.ids.has(nameAt(first, length));
      });
    const found = new Set<string>();
    for (let first = 0; first < parts.length;) {
      const length = lengths[first];
      if (length === undefined) return null;
      for (const id of this.ids.get(nameAt(first, length)) ?? []) found.add(id);
      first += length;
    }
    return [...found];
  }
}
