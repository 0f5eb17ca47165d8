import type { PageDocument } from '../documents/page-document.js';
import { renderMessage } from './html-page.js';
import { Shape } from './status.js';
import { EN } from '../languages/en.js';

/**
 * Renders the 404 page. It contains neither the path nor words of another language, so all 404 responses have the same bytes.
 */
export function renderNotFound(words: typeof EN = EN): PageDocument {
  return message(words, words.not_found, words.not_found_text);
}

/** Renders the page that is shown if the database is unavailable and there is no saved copy. */
export function renderUnavailable(words: typeof EN = EN): PageDocument {
  return message(words, words.unavailable, words.unavailable_text);
}

function message(words: typeof EN, title: string, text: string): PageDocument {
  return renderMessage(
    words,
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
