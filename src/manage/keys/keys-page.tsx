import type { ApiKeyDto, NewApiKeyDto } from '../../api-keys/dto/api-key.dto.js';
import { datesOf } from '../../page-model/dates.js';
import type { Errors } from '../errors-of-fields.js';
import { Choice, Summary } from '../fields.js';
import { screen } from '../frame.js';
import { Pager } from '../pager.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { keys: words } = WORDS;

const PATH = '/manage/keys';

const OVERLAPS = Object.entries(words.overlaps).map(([value, text]) => ({ value, text }));

/** Renders the keys that the member can see, newest first, including revoked and expired ones. */
export function renderKeys(visit: Visit, keys: ApiKeyDto[], next: string | null): Reply {
  const done = visit.query.get('done') === 'revoked' ? words.done : undefined;
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{words.text}</p>
        <Summary text={done} role="status" />
        {may(visit, 'api_keys:write') && (
          <div class="actions">
            <a class="button main" href={`${PATH}/new`}>
              {words.new}
            </a>
          </div>
        )}
        {keys.length === 0 && <p>{words.none}</p>}
        <ul class="rows">
          {keys.map((key) => (
            <li class="row">
              <a href={`${PATH}/${key.id}`}>
                <bdi class="what">{key.name}</bdi>
                <span class="quiet">
                  <code>{key.prefix}</code>… · {stateOf(key)}
                </span>
              </a>
            </li>
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
        <dl class="facts">
          <dt>{words.scopes}</dt>
          <dd>{key.scopes.join(', ')}</dd>
        </dl>
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
                <div class="actions">
                  <button class="button" type="submit">
                    {words.rotate}
                  </button>
                </div>
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

/** Renders a new key. No other response contains its text. */
export function renderSecret(visit: Visit, { id, name, key }: NewApiKeyDto): Reply {
  return screen({
    title: words.once_title,
    visit,
    children: (
      <>
        <h1>{words.once_title}</h1>
        <p>
          <bdi>{name}</bdi> · {words.once}
        </p>
        <div class="field secret">
          <label for="secret">{words.key}</label>
          <input type="text" id="secret" value={key} readOnly autocomplete="off" />
        </div>
        <p class="actions">
          <a class="button main" href={`${PATH}/${id}`}>
            {words.to_list}
          </a>
        </p>
      </>
    ),
  });
}

function isActive({ revoked_at, expires_at }: ApiKeyDto): boolean {
  return revoked_at === null && (expires_at === null || expires_at > new Date());
}

function stateOf({ revoked_at, expires_at, last_used_at }: ApiKeyDto): string {
  const now = new Date();
  const dates = datesOf('en', 'UTC', now);
  const at = (time: Date) => dates.relative(time) ?? dates.time(time);
  if (revoked_at) return revoked_at > now ? words.revoked_at(at(revoked_at)) : words.revoked;
  if (expires_at && expires_at <= now) return words.expired;
  const use = last_used_at ? words.used(at(last_used_at)) : words.never_used;
  return expires_at ? `${use} · ${words.ends(at(expires_at))}` : use;
}
