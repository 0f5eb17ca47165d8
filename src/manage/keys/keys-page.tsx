import type { ApiKeyDto } from '../../api-keys/dto/api-key.dto.js';
import { LinkButton, SubmitButton } from '../buttons.js';
import type { Errors } from '../errors-of-fields.js';
import { Facts } from '../facts.js';
import { Choice, Summary } from '../fields.js';
import { screen } from '../frame.js';
import { LinkRow } from '../link-row.js';
import { Pager, type Part } from '../pager.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import { timeOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { keys: words } = WORDS;

const PATH = '/manage/keys';

const OVERLAPS = Object.entries(words.overlaps).map(([value, text]) => ({ value, text }));

/** Renders the keys that the member can see, newest first, including revoked and expired ones. */
export function renderKeys(visit: Visit, { rows, next }: Part<ApiKeyDto>): Reply {
  const done = visit.query.get('done') === 'revoked' ? words.done : undefined;
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{words.text}</p>
        <Summary text={done} role="status" />
        {may(visit, 'api_keys:write') && <LinkButton path={`${PATH}/new`} text={words.new} kind="main" />}
        {rows.length === 0 && <p>{words.none}</p>}
        <ul class="rows">
          {rows.map((key) => (
            <LinkRow path={`${PATH}/${key.id}`}>
              <bdi class="what">{key.name}</bdi>
              <span class="quiet">
                <code>{key.prefix}</code>… · {stateOf(key)}
              </span>
            </LinkRow>
          ))}
        </ul>
        <Pager visit={visit} path={PATH} next={next} />
      </>
    ),
  });
}

/** Renders a key without its text, and the forms that rotate and revoke it. */
export function renderKey(visit: Visit, key: ApiKeyDto, errors?: Errors): Reply {
  const path = `${PATH}/${key.id}`;
  const done = visit.query.get('done') === 'repeated' ? words.repeated : undefined;
  return screen({
    title: key.name,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb path={PATH} text={words.title} />
        <h1>
          <bdi>{key.name}</bdi>
        </h1>
        <p class="quiet">
          {words.begins(key.prefix)} · {stateOf(key)}
        </p>
        <Summary text={errors?.['form'] ?? done} role={errors ? 'alert' : 'status'} />
        <Facts facts={[[words.scopes, key.scopes.join(', ')]]} />
        {may(visit, 'api_keys:write') && isActive(key) && (
          <>
            <section>
              <h2>{words.rotate_title}</h2>
              <form class="form" method="post" action={`${path}/rotate`}>
                <FormKeys visit={visit} />
                <Choice
                  name="overlap_seconds"
                  label={words.overlap}
                  hint={words.rotate_hint}
                  value="3600"
                  options={OVERLAPS}
                />
                <SubmitButton text={words.rotate} />
              </form>
            </section>
            <p class="actions">
              <a class="button danger" href={`${path}/revoke`}>
                {words.revoke}
              </a>
            </p>
          </>
        )}
      </>
    ),
  });
}

function isActive({ revoked_at, expires_at }: ApiKeyDto): boolean {
  return revoked_at === null && (expires_at === null || expires_at > new Date());
}

function stateOf({ revoked_at, expires_at, last_used_at }: ApiKeyDto): string {
  const now = new Date();
  if (revoked_at) return revoked_at > now ? words.revoked_at(timeOf(revoked_at)) : words.revoked;
  if (expires_at && expires_at <= now) return words.expired;
  const use = last_used_at ? words.used(timeOf(last_used_at)) : words.never_used;
  return expires_at ? `${use} · ${words.ends(timeOf(expires_at))}` : use;
}
