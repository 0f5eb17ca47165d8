import { timeText } from '../documents/words.js';

/** Renders a time in UTC. The script of the page converts it to the visitor's time zone. */
export function Time({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} data-local>
      {timeText(at)}
    </time>
  );
}
