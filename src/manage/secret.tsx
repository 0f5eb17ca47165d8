import type { ComponentChildren } from 'preact';
import { screen } from './frame.js';
import type { Reply } from './reply.js';
import type { Visit } from './visit.js';

/** A secret that no other response contains. */
interface Secret {
  title: string;
  text: ComponentChildren;
  label: string;
  hint?: string;
  value: string;
  /** Text of a button that opens the secret, a link, in another tab, because this screen cannot be shown again. */
  open?: string;
  /** Screen that follows. */
  next: { path: string; text: string };
  /** Entry of the navigation. */
  current?: 'pages';
}

/** Renders a new secret, once. */
export function renderSecret(
  visit: Visit,
  { text, label, hint, value, open, next, ...frame }: Secret,
): Reply {
  return screen({
    ...frame,
    visit,
    children: (
      <>
        <h1>{frame.title}</h1>
        <p>{text}</p>
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
            value={value}
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
            <a class="button" href={value} target="_blank" rel="noopener">
              {open}
            </a>
          )}
        </p>
      </>
    ),
  });
}
