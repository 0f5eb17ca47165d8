import type { PageDocument } from '../../page-model/page-document.js';
import { renderMessage } from './html-page.js';
import { Headline } from './headline.js';
import { EN } from '../../page-model/languages/en/page.js';

interface Props {
  page_path: string | undefined;
  docs_path: string;
  key_command: string;
}

/** Renders the start page of `npm start`: what to open, and how to create an API key. */
export function renderStart({ page_path, docs_path, key_command }: Props): PageDocument {
  const { title, text, page, docs, key } = EN.start;
  return renderMessage(
    EN,
    title,
    <>
      <Headline sign="operational" text={title} />
      <p class="lead">{text}</p>
      <div class="prose">
        <ul>
          {page_path !== undefined && (
            <li>
              <a href={page_path}>{page}</a>
            </li>
          )}
          <li>
            <a href={docs_path}>{docs}</a>
          </li>
        </ul>
        <p>{key}</p>
        <pre>
          <code>{key_command}</code>
        </pre>
      </div>
    </>,
  );
}
