import type { ListedSession } from '../members/member-sessions.repository.js';
import type { ListedPasskey } from '../members/member-passkeys.repository.js';
import { browserName } from './browser-name.js';
import { SubmitButton } from './buttons.js';
import type { Errors } from './errors-of-fields.js';
import { Facts } from './facts.js';
import { Summary, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import { PASSKEY_SCRIPT } from './scripts.js';
import { PASSKEY_DONE, PasskeysSection } from './passkeys-section.js';
import type { Reply } from './reply.js';
import { dateOf, timeOf } from './times.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { account: words } = WORDS;

/** Changes that the screen confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', words.password_saved],
  ['session', words.session_ended],
  ['others', words.others_ended],
  ...PASSKEY_DONE,
]);

interface Account {
  hasPassword: boolean;
  /** Whether the form asks for the present password. */
  mustEnter: boolean;
  sessions: ListedSession[];
  passkeys: ListedPasskey[];
  errors?: Errors | undefined;
  status?: number;
  headers?: Record<string, string>;
}

/** Renders the member's own screen. No field contains a password. */
export function renderAccount(
  visit: Visit,
  { hasPassword, mustEnter, sessions, passkeys, errors, status = 200, headers }: Account,
): Reply {
  const done = errors ? undefined : DONE.get(visit.query.get('done') ?? '');
  return screen({
    title: words.title,
    script: PASSKEY_SCRIPT.path,
    visit,
    status,
    ...(headers && { headers }),
    children: (
      <>
        <h1>{words.title}</h1>
        <Summary text={done} role="status" />
        <Identity visit={visit} />
        <PasswordForm visit={visit} hasPassword={hasPassword} mustEnter={mustEnter} errors={errors} />
        <PasskeysSection visit={visit} hasPassword={hasPassword} passkeys={passkeys} />
        <Sessions visit={visit} sessions={sessions} />
      </>
    ),
  });
}

function Identity({ visit }: { visit: Visit }) {
  const { name, email, role, project_ids } = visit.session.member;
  return (
    <Facts
      facts={[
        [words.name, <bdi>{name}</bdi>],
        [words.email, <bdi>{email}</bdi>],
        [
          words.role,
          <>
            {words.roles[role]}
            <small class="hint">
              {words.role_texts[role]}
              {project_ids !== null && ` ${words.some_projects}`}
            </small>
          </>,
        ],
      ]}
    />
  );
}

function PasswordForm({
  visit,
  hasPassword,
  mustEnter,
  errors,
}: {
  visit: Visit;
  hasPassword: boolean;
  mustEnter: boolean;
  errors: Errors | undefined;
}) {
  return (
    <section>
      <h2>{hasPassword ? words.change_title : words.set_title}</h2>
      <form class="form" method="post" action="/manage/account">
        <Token visit={visit} />
        <p>{hasPassword ? words.change_text : words.set_text}</p>
        <Summary text={errors?.['form']} />
        {/* Password managers save the password for this address. */}
        <input
          type="text"
          name="username"
          value={visit.session.member.email}
          autocomplete="username"
          readOnly
          hidden
        />
        {hasPassword && !mustEnter && <p>{words.by_link}</p>}
        {mustEnter && (
          <TextField
            name="present_password"
            type="password"
            label={words.present}
            errors={errors}
            autocomplete="current-password"
          />
        )}
        <TextField
          name="new_password"
          type="password"
          label={words.next}
          hint={words.next_hint}
          errors={errors}
          autocomplete="new-password"
        />
        <SubmitButton text={hasPassword ? words.change : words.set} />
      </form>
    </section>
  );
}

function Sessions({ visit, sessions }: { visit: Visit; sessions: ListedSession[] }) {
  const hasOthers = sessions.some(({ id }) => id !== visit.session.id);
  return (
    <section>
      <h2>{words.sessions}</h2>
      {hasOthers && <p>{words.sessions_text}</p>}
      <ul class="rows">
        {sessions.map(({ id, user_agent, last_used_at, created_at }) => {
          const isThis = id === visit.session.id;
          const browser = browserName(user_agent);
          return (
            <li class="row plain entry">
              <bdi class="what">{browser}</bdi>
              <span class="quiet">
                {isThis && `${words.this_device} · `}
                {words.last_use(timeOf(last_used_at), dateOf(created_at))}
              </span>
              {!isThis && (
                <form method="post" action={`/manage/account/sessions/${id}`}>
                  <Token visit={visit} />
                  <button class="button plain small" type="submit" aria-label={words.end_label(browser)}>
                    {words.end}
                  </button>
                </form>
              )}
            </li>
          );
        })}
      </ul>
      {hasOthers && (
        <form class="actions" method="post" action="/manage/account/other-sessions">
          <Token visit={visit} />
          <button class="button danger" type="submit">
            {words.end_others}
          </button>
        </form>
      )}
    </section>
  );
}
