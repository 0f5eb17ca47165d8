/** Whether an event is good or bad news, for the color of a message. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** Content of a message about an event, which every chat format shows in its own way. */
export interface ChatMessage {
  /** Name of the status page or the project. */
  source: string;
  /** Change that the message reports, such as `Investigating: Errors on the API`. One line. */
  title: string;
  /** A time or a period. */
  when: string;
  /** Markdown. */
  body: string;
  /** The affected monitors, or an empty string. */
  affected: string;
  /** A public page; undefined: visitors cannot see it. */
  link: { url: string; label: string } | undefined;
  tone: Tone;
}

/** Maximum length of the list of affected monitors, in characters. */
export const MAX_AFFECTED = 500;

/** Returns a name as one line without control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Returns the text, or its beginning and an ellipsis, in at most `length` UTF-16 code units. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, Math.max(0, length - 1));
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * Renders a text, or its longest beginning whose rendering is at most `limit` long. It cuts the text, not the result, so that
 * the result is always complete in its format.
 * @param lengthOf the length of a rendering; default: in UTF-16 code units
 */
export function fit(
  text: string,
  limit: number,
  render: (text: string) => string,
  lengthOf: (rendered: string) => number = (rendered) => rendered.length,
): string {
  let length = Math.min(text.length, limit); // so that long texts are not rendered as a whole
  for (;;) {
    const rendered = render(cut(text, length));
    const size = lengthOf(rendered);
    if (size <= limit || length <= 1) return rendered;
    length = Math.max(1, Math.min(length - 1, Math.floor((length * limit) / size)));
  }
}
