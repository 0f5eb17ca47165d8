import type { PageDocument } from '../documents/page-document.js';
import { WORDS } from '../documents/words.js';
import { renderMessage } from './html-page.js';
import { Shape } from './status.js';

/** Renders the 404 page. It does not contain the path, so all 404 responses have the same bytes. */
export function renderNotFound(): PageDocument {
  return message(WORDS.not_found, WORDS.not_found_text);
}

/** Renders the page that is shown if the database is unavailable and there is no saved copy. */
export function renderUnavailable(): PageDocument {
  return message(WORDS.unavailable, WORDS.unavailable_text);
}

function message(title: string, text: string): PageDocument {
  return renderMessage(
    title,
    <>
      <div class="headline" id="main">
        <Shape status="unknown" />
        <h1>{title}</h1>
      </div>
      <p class="lead">{text}</p>
    </>,
  );
}
