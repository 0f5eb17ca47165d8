import type { View } from '../documents/view.js';
/** Renders a time in UTC. The script of the page converts it to the visitor's time zone. */
export function Time({ at, view }: { at: Date; view: View }) {
  return (
    <time dateTime={at.toISOString()} data-local>
      {view.dates.time(at)}
    </time>
  );
}
