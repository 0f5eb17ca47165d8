import type { MailPlace } from '../members/sign-in.js';
import { Summary, TextField, Token } from './fields.js';
import { Kept } from './kept-fields.js';
import type { Errors } from './errors-of-fields.js';
import { screen } from './frame.js';
import { PasskeySignInAction } from './passkey-action.js';
import { PASSKEY_SCRIPT } from './scripts.js';
import type { Reply } from './reply.js';
import { OidcButton } from './sign-in-oidc-button.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { sign_in: words, kept: keptWords } = WORDS;

/** A form that a member has sent without a session. */
export interface KeptForm {
  /** Path to which it was sent. */
  to: string;
  sent: URLSearchParams;
}

/** Fields that no screen may repeat. */
const SECRETS = new Set([
  'password',
  'present_password',
  'new_password',
  'passkey_password',
  'client_secret',
]);

/**
 * Fields that a kept form leaves out: {@link SECRETS}, and the step, so that it is reviewed again before it is published, because
 * another member may continue.
 */
const NOT_KEPT = new Set([...SECRETS, 'token', 'step']);

export interface SignInPage {
  /** Place to which links by mail go. */
  mail: MailPlace;
  /** Path that the member wants. */
  to?: string;
  kept?: KeptForm | undefined;
  email?: string;
  errors?: Errors;
  status?: number;
  headers?: Record<string, string>;
  /** Name of the provider of OpenID Connect; undefined: there is no provider. */
  oidc: string | undefined;
}

/** Renders the form with the address and the password. It keeps a form that was sent without a session. */
export function renderSignIn({ to, kept, email, errors, status, headers, oidc, mail }: SignInPage): Reply {
  return screen({
    title: words.title,
    script: PASSKEY_SCRIPT.path,
    ...(status !== undefined && { status }),
    ...(headers && { headers }),
    children: (
      <div class="sheet narrow">
        <p class="product">{WORDS.product}</p>
        <h1>{words.title}</h1>
        {kept ? <Summary text={words.kept} /> : <p>{words.text}</p>}
        <form class="form" method="post" action="/manage/sign-in">
          {to !== undefined && <input type="hidden" name="to" value={to} />}
          {kept && <KeptFields kept={kept} />}
          <Summary text={errors?.['form']} />
          <TextField
            name="email"
            type="email"
            label={words.email}
            value={email}
            errors={errors}
            autocomplete="username"
          />
          <TextField
            name="password"
            type="password"
            label={words.password}
            hint={words.password_hint[mail]}
            errors={errors}
            autocomplete="current-password"
          />
          <div class="actions">
            <button class="button" type="submit" name="way" value="password">
              {words.with_password}
            </button>
            {mail !== 'nowhere' && (
              <button class="button plain" type="submit" name="way" value="link">
                {words.with_link}
              </button>
            )}
            <PasskeySignInAction />
          </div>
          {oidc !== undefined && <OidcButton name={oidc} />}
        </form>
      </div>
    ),
  });
}

function KeptFields({ kept }: { kept: KeptForm }) {
  const fields = new URLSearchParams([...kept.sent].filter(([name]) => !NOT_KEPT.has(name)));
  return (
    <>
      <input type="hidden" name="kept_to" value={kept.to} />
      <input type="hidden" name="kept" value={fields.toString()} />
    </>
  );
}

/** Renders a kept form that stays in its tab while the member signs in in another one. */
export function KeptHere({ kept, text }: { kept: KeptForm; text: string }) {
  return (
    <form method="post" action={kept.to} class="form">
      <p>{text}</p>
      <Kept sent={kept.sent} without={NOT_KEPT} />
      <button class="button" type="submit">
        {keptWords.continue}
      </button>
    </form>
  );
}

/** Renders what follows on the request for a link, the same for known and unknown addresses. */
export function renderLinkSent(kept?: KeptForm, directory?: string): Reply {
  return screen({
    title: words.sent_title,
    children: (
      <div class="sheet narrow">
        <p class="product">{WORDS.product}</p>
        <h1>{words.sent_title}</h1>
        <p>{words.sent}</p>
        {directory !== undefined && <p class="notice">{words.sent_files(directory)}</p>}
        {kept && <KeptHere kept={kept} text={words.sent_kept} />}
        <p>
          <a href="/manage/sign-in">{words.new_link}</a>
        </p>
      </div>
    ),
  });
}

interface FailedPage {
  title: string;
  visit: Visit | undefined;
  status: number;
  headers: Record<string, string>;
}

/**
 * Renders a form that failed for a reason that passes, so that the member can send it again as it was, also for publication. Returns
 * undefined if it contains what no screen may repeat.
 */
export function renderSendAgain({ to, sent }: KeptForm, frame: FailedPage): Reply | undefined {
  if ([...sent.keys()].some((name) => SECRETS.has(name))) return undefined;
  return screen({
    ...frame,
    children: (
      <div class="sheet narrow">
        <h1>{frame.title}</h1>
        <p>{WORDS.errors.kept}</p>
        <Written sent={sent} />
        <form method="post" action={to} class="form">
          <input type="hidden" name="token" value={sent.get('token') ?? ''} />
          <Kept sent={sent} />
          <button class="button" type="submit">
            {WORDS.errors.again}
          </button>
        </form>
      </div>
    ),
  });
}

/** Shows the texts of a kept form. */
function Written({ sent }: { sent: URLSearchParams }) {
  const texts = [sent.get('title'), sent.get('body'), sent.get('postmortem')].filter(Boolean);
  if (texts.length === 0) return null;
  return (
    <div class="theirs">
      <p>{keptWords.what}</p>
      {texts.map((text) => (
        <blockquote dir="auto">{text}</blockquote>
      ))}
    </div>
  );
}

/** Renders a form that was sent with another session or without one, so that the member can send it again. */
export function renderKept(visit: Visit, { to, sent }: KeptForm, status = 200): Reply {
  return screen({
    title: keptWords.title,
    visit,
    status,
    children: (
      <div class="sheet narrow">
        <h1>{keptWords.title}</h1>
        <p>{keptWords.text}</p>
        <Written sent={sent} />
        <form method="post" action={to} class="form">
          <Token visit={visit} />
          <Kept sent={sent} without={NOT_KEPT} />
          <button class="button" type="submit">
            {keptWords.continue}
          </button>
        </form>
      </div>
    ),
  });
}
