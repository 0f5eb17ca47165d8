import type { ComponentChildren } from 'preact';
import type { PageDocument } from '../../page-model/page-document.js';
import { Headline } from './headline.js';
import { renderMessage } from './html-page.js';
import { EN } from '../../page-model/languages/en/page.js';

/**
 * Renders the 404 page. It contains neither the path nor words of another language, so all 404 responses have the same bytes.
 * @param home the address of a status page that visitors probably want; omitted: unknown
 */
export function renderNotFound(home?: string, words: typeof EN = EN): PageDocument {
  return message(
    words,
    words.not_found,
    words.not_found_text,
    home !== undefined && (
      <p class="lead">
        <a class="button" href={home}>
          {words.home}
        </a>
      </p>
    ),
  );
}

/** Renders the page that is shown if the database is unavailable and there is no saved copy. */
export function renderUnavailable(words: typeof EN = EN): PageDocument {
  return message(words, words.unavailable, words.unavailable_text);
}

function message(words: typeof EN, title: string, text: string, link?: ComponentChildren): PageDocument {
  return renderMessage(
    words,
    title,
    <>
      <Headline sign="unknown" text={title} />
      <p class="wrong">{text}</p>
      {link}
    </>,
  );
}
