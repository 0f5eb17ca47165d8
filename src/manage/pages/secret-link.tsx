import { screen } from '../frame.js';
import type { Reply } from '../reply.js';
import type { Visit } from '../visit.js';

/** A link that no other response contains. */
interface SecretLink {
  title: string;
  text: string;
  label: string;
  hint?: string;
  url: string;
  /** Text of a button that opens the link in another tab, because this screen cannot be shown again. */
  open?: string;
  /** Screen that follows. */
  next: { path: string; text: string };
}

/** Renders a new link, once. */
export function renderSecretLink(visit: Visit, link: SecretLink): Reply {
  const { title, text, label, hint, url, open, next } = link;
  return screen({
    title,
    visit,
    current: 'pages',
    children: (
      <>
        <h1>{title}</h1>
        <p>
          <bdi>{text}</bdi>
        </p>
        <div class="field secret">
          <label for="secret">{label}</label>
          {hint !== undefined && (
            <small class="hint" id="secret-hint">
              {hint}
            </small>
          )}
          <input
            type="text"
            id="secret"
            value={url}
            readOnly
            autocomplete="off"
            aria-describedby={hint === undefined ? undefined : 'secret-hint'}
          />
        </div>
        <p class="actions">
          <a class="button main" href={next.path}>
            {next.text}
          </a>
          {open !== undefined && (
            <a class="button" href={url} target="_blank" rel="noopener">
              {open}
            </a>
          )}
        </p>
      </>
    ),
  });
}
