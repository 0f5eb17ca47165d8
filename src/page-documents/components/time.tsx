import type { View } from '../../page-model/view.js';

/** Placeholder for the formatted time in `data-text`. */
const PLACEHOLDER = '{time}';

interface Props {
  at: Date;
  view: View;
  /** Returns the text around the formatted time. */
  text?: (time: string) => string;
}

/**
 * Renders a time, or a period with `to`, in the time zone of the page. The script of the page adds it in the visitor's time zone,
 * with the text around it, as a title.
 */
export function Time({ at, to, view, text }: Props & { to?: Date }) {
  const formatted = to ? view.dates.period(at, to) : view.dates.time(at);
  return (
    <time dateTime={at.toISOString()} data-local data-to={to?.toISOString()} data-text={text?.(PLACEHOLDER)}>
      {text ? text(formatted) : formatted}
    </time>
  );
}

/** Renders a time, and for a recent or soon one its distance from now before it: `12 minutes ago · 25 Nov, 15:20 EST`. */
export function RelativeTime({ at, view }: Props) {
  const relative = view.dates.relative(at);
  return (
    <span class="when">
      {relative !== null && (
        <>
          <time dateTime={at.toISOString()} data-relative>
            {relative}
          </time>
          {' · '}
        </>
      )}
      <Time at={at} view={view} />
    </span>
  );
}
