/** Characters that could move the cursor or reorder the text of a terminal. Names and titles come from the API. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** Replaces control characters, including line breaks, with spaces. */
export function printable(text: string): string {
  return text.replaceAll(UNSAFE, ' ');
}

/**
 * Aligns rows below their headers. A table without rows is a sentence.
 *
 *     KEY  NAME
 *     api  Public API
 */
export function table(headers: string[], rows: string[][], empty: string): string {
  if (rows.length === 0) return `${empty}\n`;
  return align([headers, ...rows]);
}

/** Aligns the values of one resource behind their names. Omits values that are undefined. */
export function record(values: Record<string, string | undefined>): string {
  return align(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function align(rows: string[][]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of cells)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, [...cell].length);
  const lines = cells.map((row) =>
    row.map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - [...cell].length)).join('  '),
  );
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** Formats a time of the API: `2026-11-20 12:00 UTC`. */
export function time(value: string): string {
  return `${value.slice(0, 10)} ${value.slice(11, 16)} UTC`;
}
