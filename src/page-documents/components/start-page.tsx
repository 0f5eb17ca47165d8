import type { MonitorStatus } from '../../monitors/monitor-status.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { renderMessage } from './html-page.js';
import { Panel } from './panel.js';
import { Shape } from './status.js';
import { Name } from './text.js';
import { EN } from '../../page-model/languages/en/page.js';

/** A status page on the start page. */
export interface StartedPage {
  name: string;
  /** undefined: visitors cannot open it. */
  path: string | undefined;
  is_public: boolean;
  status: MonitorStatus;
  headline: string;
  /** Titles of its open incidents. */
  incidents: readonly string[];
}

interface Props {
  pages: readonly StartedPage[];
  /** undefined: there is no console. */
  console_path: string | undefined;
  docs_path: string;
  key_command: string;
}

/** Renders the start page of `npm start`: the status pages with what is open on them, and what to do next. */
export function renderStart({ pages, console_path, docs_path, key_command }: Props): PageDocument {
  const { title, text, next, sign_in, key, docs, guide } = EN.start;
  return renderMessage(
    EN,
    title,
    <Panel icon="done" title={title} isWide end={<p>{text}</p>}>
      {pages.length > 0 && (
        <section>
          <h2>{EN.start.pages}</h2>
          <ul>
            {pages.map((page) => (
              <StartedPageItem page={page} />
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>{next}</h2>
        <div class="prose">
          <ol>
            {console_path !== undefined && (
              <li>
                <p>
                  <a href={console_path}>{EN.start.console}</a>
                </p>
                <p class="hint">{sign_in}</p>
              </li>
            )}
            <li>
              <p>{key}</p>
              <pre>
                <code>{key_command}</code>
              </pre>
            </li>
            <li>
              <p>
                <a href={docs_path}>{docs}</a>
              </p>
            </li>
            <li>
              <p>{guide}</p>
            </li>
          </ol>
        </div>
      </section>
    </Panel>,
  );
}

function StartedPageItem({ page }: { page: StartedPage }) {
  const { name, path, is_public, status, headline, incidents } = page;
  return (
    <li>
      <p>
        {path === undefined ? (
          <strong>
            <Name>{name}</Name>
          </strong>
        ) : (
          <a href={path}>
            <Name>{name}</Name>
          </a>
        )}
      </p>
      {!is_public ? (
        <p class="hint">{path === undefined ? EN.start.private : EN.start.gated}</p>
      ) : (
        <p class="hint">
          <Shape status={status} />
          {[headline, ...incidents].join(' · ')}
        </p>
      )}
    </li>
  );
}
