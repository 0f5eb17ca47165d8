/** Truncates a text to at most `max` Unicode code points. If it is truncated, the last one is "…". */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  // A code point has at most two UTF-16 units, so this slice contains enough of them.
  const points = Array.from(text.slice(0, 2 * max + 2));
  return points.length > max ? points.slice(0, max - 1).join('') + '…' : text;
}
