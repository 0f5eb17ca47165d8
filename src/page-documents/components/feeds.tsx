import { FEED_FORMATS } from '../../page-model/parts.js';
import type { View } from '../../page-model/view.js';

/** Renders the feeds and the calendar. */
export function Feeds({ view: { words, links } }: { view: View }) {
  return (
    <ul>
      <li>
        <p>
          {FEED_FORMATS.map((format) => (
            <a href={links.to({ kind: 'feed', format })}>{words.feeds[format]}</a>
          ))}
        </p>
        <p>{words.feeds_text}</p>
      </li>
      <li>
        <p>
          <a href={links.to({ kind: 'calendar' })}>{words.calendar}</a>
        </p>
        <p>{words.calendar_text}</p>
      </li>
    </ul>
  );
}
