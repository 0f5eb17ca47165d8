import { timeText } from '../documents/words.js';

/** A time in UTC. The script of the page shows it in the zone of the visitor. */
export function Time({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} data-local>
      {timeText(at)}
    </time>
  );
}
