import type { PageHead } from '../../page-model/page-data.js';
import type { PageDocument } from '../../page-model/page-document.js';
import { type Part, pathOf, withParameter } from '../../page-model/parts.js';
import type { View } from '../../page-model/view.js';
import { entryWordsOf } from '../../page-model/words.js';
import { renderPage } from './html-page.js';
import { Panel } from './panel.js';

/** A way into a private page: its password, a link by mail, or OpenID Connect. */
export type GateWay = 'password' | 'email' | 'oidc';

/** Too many attempts with a way in, which does not work for some seconds. */
export interface TooMany {
  way: GateWay;
  seconds: number;
}

/** Error in a field of the gate, or too many attempts. */
export type GateError = 'password_empty' | 'password_wrong' | 'email_empty' | 'email_invalid' | TooMany;

/** The gate of a private page. */
export interface GateShell {
  /** Only the name, the colors and the language. */
  page: PageHead;
  view: View;
  /** Path of the page, without a trailing slash. */
  path: string;
  /** URL of the page on the host by which it is requested, without a trailing slash. */
  url: string;
  /** In the order in which the gate shows them. */
  ways: readonly GateWay[];
}

/**
 * Renders the gate of a private page: its name, and the ways in, each of which is a form that works without a script. The forms
 * contain nothing secret, so that they also work if the document was cached.
 * @param part the part that the visitor wants to see
 */
export function renderGate(shell: GateShell, part: Part, error?: GateError): PageDocument {
  const { page, view } = shell;
  const { gate } = view.words;
  const tooMany = typeof error === 'object' ? error : undefined;
  const ways = shell.ways.filter((way) => way !== tooMany?.way);
  return renderPage({
    page,
    view,
    part,
    title: gate.title,
    isForm: true,
    children: (
      <Panel icon="lock" title={gate.title} end={<p>{gate.ask}</p>}>
        {shell.ways.length === 0 && <p>{gate.networks}</p>}
        {tooMany && <Notice view={view} seconds={tooMany.seconds} hasOthers={ways.length > 0} />}
        {ways.map((way, index) => (
          <Form shell={shell} part={part} way={way} isFirst={index === 0} error={error} />
        ))}
      </Panel>
    ),
  });
}

/** Renders when a way in works again, in minutes, rounded up. */
function Notice({ view, seconds, hasOthers }: { view: View; seconds: number; hasOthers: boolean }) {
  const { too_many, until_then } = entryWordsOf(view.words.language);
  const { now, relative } = view.dates;
  const time = relative(new Date(now.getTime() + Math.ceil(seconds / 60) * 60_000)) ?? '';
  return (
    <p class="notice" role="alert">
      {too_many(time)} {hasOthers && until_then}
    </p>
  );
}

interface FieldProps {
  shell: GateShell;
  error: GateError | undefined;
}

interface FormProps extends FieldProps {
  part: Part;
  way: GateWay;
  isFirst: boolean;
}

/**
 * Renders the form of a way in. `to`: the part to which it leads, as a path below the page.
 * @param isFirst whether its button is the main action of the gate
 */
function Form({ shell, part, way, isFirst, error }: FormProps) {
  const { path, view } = shell;
  const { language } = view.links;
  const target = `${path}/access/${way}`;
  return (
    <form
      class="form way"
      method="post"
      action={language === undefined ? target : withParameter(target, 'lang', language)}
      novalidate
    >
      <input type="hidden" name="to" value={pathOf({ ...part, lang: language })} />
      {way === 'password' && <PasswordField shell={shell} error={error} />}
      {way === 'email' && <EmailField shell={shell} error={error} />}
      <p>
        <button class={isFirst ? 'button' : 'button plain'} type="submit">
          {view.words.gate[BUTTONS[way]]}
        </button>
      </p>
    </form>
  );
}

/** Words of the buttons. */
const BUTTONS = { password: 'open', email: 'send', oidc: 'single_sign_on' } as const;

/** `maxLength` counts UTF-16 units, of which a character of a password can have two. */
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
        maxLength={400}
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
        {...markedBy(shown, 'email-error email-hint', 'email-hint')}
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
