import type { ComponentChildren } from 'preact';
import type { PageHead } from '../data/page-data.js';
import type { PageDocument } from '../documents/page-document.js';
import { type Part, pathOf, withParameter } from '../documents/parts.js';
import type { View } from '../documents/view.js';
import { renderPage } from './html-page.js';

/** Ways into a private page, in the order in which the gate shows them. */
export interface GateWays {
  password: boolean;
  /** A link by mail. */
  email: boolean;
  /** OpenID Connect. */
  oidc: boolean;
}

/** Error in a form of the gate. */
export type GateError = 'password_empty' | 'password_wrong' | 'email_empty' | 'email_invalid';

/** The gate of a private page. */
export interface GateShell {
  /** Only the name, the colors and the language. */
  page: PageHead;
  view: View;
  /** Path of the page, without a trailing slash. */
  path: string;
  /** URL of the page on the host by which it is requested, without a trailing slash. */
  url: string;
  /** The part that the visitor wants to see. */
  part: Part;
  ways: GateWays;
}

/**
 * Renders the gate of a private page: its name, and the ways in, each of which is a form that works without a script. The forms
 * contain nothing secret, so that they also work if the document was cached.
 */
export function renderGate(shell: GateShell, error?: GateError): PageDocument {
  const { page, view, part, ways } = shell;
  const { gate } = view.words;
  const hasForm = ways.password || ways.email || ways.oidc;
  return renderPage({
    page,
    view,
    part,
    title: gate.title,
    isForm: true,
    children: (
      <>
        <h1 class="title">{gate.title}</h1>
        {!hasForm && <p class="lead">{gate.networks}</p>}
        {ways.password && (
          <Form shell={shell} action="password" button={gate.open}>
            <PasswordField shell={shell} error={error} />
          </Form>
        )}
        {ways.email && (
          <Form shell={shell} action="email" button={gate.send}>
            <EmailField shell={shell} error={error} />
          </Form>
        )}
        {ways.oidc && <Form shell={shell} action="oidc" button={gate.single_sign_on} />}
      </>
    ),
  });
}

/** Renders a form. `to`: the part to which it leads, as a path below the page. */
function Form({
  shell: { path, part, view },
  action,
  button,
  children,
}: {
  shell: GateShell;
  action: keyof GateWays;
  button: string;
  children?: ComponentChildren;
}) {
  const { language } = view.links;
  const target = `${path}/access/${action}`;
  return (
    <form
      class="form way"
      method="post"
      action={language === undefined ? target : withParameter(target, 'lang', language)}
      novalidate
    >
      <input type="hidden" name="to" value={pathOf({ ...part, lang: language })} />
      {children}
      <p>
        <button class="button" type="submit">
          {button}
        </button>
      </p>
    </form>
  );
}

interface FieldProps {
  shell: GateShell;
  error: GateError | undefined;
}

function PasswordField({ shell: { view }, error }: FieldProps) {
  const { gate } = view.words;
  const shown = error === 'password_empty' || error === 'password_wrong' ? gate[error] : undefined;
  return (
    <div class="field">
      <label for="password">{gate.password}</label>
      <ErrorText id="password-error" text={shown} />
      <input
        type="password"
        id="password"
        name="password"
        autocomplete="current-password"
        maxLength={200}
        required
        {...markedBy(shown, 'password-error')}
      />
    </div>
  );
}

/** Not of the type `email`, because browsers would change international domains. */
function EmailField({ shell: { view }, error }: FieldProps) {
  const { gate, subscription } = view.words;
  const shown = error === 'email_empty' || error === 'email_invalid' ? subscription[error] : undefined;
  return (
    <div class="field">
      <label for="email">{subscription.email}</label>
      <p class="hint" id="email-hint">
        {gate.email_hint}
      </p>
      <ErrorText id="email-error" text={shown} />
      <input
        type="text"
        id="email"
        name="email"
        inputmode="email"
        autocomplete="email"
        autocapitalize="none"
        spellcheck={false}
        maxLength={320}
        required
        {...markedBy(shown, 'email-hint email-error', 'email-hint')}
      />
    </div>
  );
}

function ErrorText({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}

/** Returns the attributes of a field, which has the focus if it is wrong. */
function markedBy(error: string | undefined, describedBy: string, otherwise?: string) {
  return error === undefined
    ? { 'aria-describedby': otherwise }
    : { 'aria-invalid': true, 'aria-describedby': describedBy, autofocus: true };
}
