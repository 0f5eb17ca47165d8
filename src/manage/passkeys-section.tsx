import { MAX_PASSKEYS_OF_MEMBER } from '../members/passkeys/member-passkeys.js';
import type { ListedPasskey } from '../members/member-passkeys.repository.js';
import { TextField, Token } from './fields.js';
import { dateOf, timeOf } from './times.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';
import { PasskeyAction } from './passkey-action.js';

const { passkeys: words } = WORDS;

const PATH = '/manage/account/passkeys';

/** Changes that the member's own screen confirms, by the value in its query. */
export const PASSKEY_DONE = [
  ['passkey', words.added],
  ['passkey_removed', words.removed],
] as const;

interface Section {
  visit: Visit;
  hasPassword: boolean;
  passkeys: ListedPasskey[];
}

/** Renders the passkeys of a member, and the form that adds one. */
export function PasskeysSection({ visit, hasPassword, passkeys }: Section) {
  return (
    <section>
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map((passkey) => (
            <Passkey visit={visit} passkey={passkey} />
          ))}
        </ul>
      )}
      {passkeys.length >= MAX_PASSKEYS_OF_MEMBER ? (
        <p>{words.full}</p>
      ) : (
        <>
          <p class="quiet" data-without-passkeys>
            {words.needs_script}
          </p>
          <form class="form" method="post" action={PATH} hidden>
            <Token visit={visit} />
            {hasPassword && (
              <TextField
                name="passkey_password"
                type="password"
                label={words.present}
                autocomplete="current-password"
              />
            )}
            <div class="actions">
              <PasskeyAction kind="create" text={words.add} challenge={`${PATH}/challenge`} />
            </div>
          </form>
        </>
      )}
    </section>
  );
}

function Passkey({ visit, passkey }: { visit: Visit; passkey: ListedPasskey }) {
  const { id, name, created_at, last_used_at } = passkey;
  return (
    <li class="row plain entry">
      <bdi class="what">{name}</bdi>
      <span class="quiet">
        {last_used_at
          ? words.last_use(timeOf(last_used_at), dateOf(created_at))
          : words.not_used(dateOf(created_at))}
      </span>
      <form method="post" action={`${PATH}/${id}`}>
        <Token visit={visit} />
        <button class="button plain small" type="submit" aria-label={words.remove_label(name)}>
          {words.remove}
        </button>
      </form>
    </li>
  );
}
