import type { PageDocument } from '../documents/page-document.js';
import { WORDS } from '../documents/words.js';
import { renderMessage } from './html-page.js';
import { Shape } from './status.js';

/** The page for a path without anything. It names no path: all are the same in bytes. */
export function renderNotFound(): PageDocument {
  return message(WORDS.not_found, WORDS.not_found_text);
}

/** The page while the database is unavailable and no copy is kept. */
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
