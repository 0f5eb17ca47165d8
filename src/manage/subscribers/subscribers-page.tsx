import type { SubscriberDto } from '../../subscribers/dto/subscriber.dto.js';
import { SubmitButton } from '../buttons.js';
import type { Labels } from '../errors-of-fields.js';
import { Check, Summary, TextField } from '../fields.js';
import { screen } from '../frame.js';
import { LinkRow } from '../link-row.js';
import { Pager, type Part } from '../pager.js';
import type { OwnPage } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { FormKeys, Trouble } from '../resource-form.js';
import { type Prevented, statusOf } from '../saving.js';
import { dateOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { subscribers: words } = WORDS;

const PATH = '/manage/subscribers';

/** Labels of a subscriber's fields. */
export const SUBSCRIBER_LABELS: Labels = { email: words.email };

/** Changes that the list confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['added', words.added],
  ['removed', words.removed],
]);

/** Values in the form of a new subscriber. */
export interface SubscriberValues {
  email: string;
  confirmed: boolean;
}

interface Page extends Part<SubscriberDto> {
  page: OwnPage;
  /** Address that is looked for; empty: all. */
  find: string;
  values: SubscriberValues;
  prevented?: Prevented | undefined;
}

/** Asks for the page. */
export function renderPageChoice(visit: Visit, pages: OwnPage[]): Reply {
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{pages.length === 0 ? words.no_pages : words.which}</p>
        <ul class="rows">
          {pages.map(({ id, name }) => (
            <LinkRow path={`${PATH}?page=${id}`}>
              <bdi class="what">{name}</bdi>
            </LinkRow>
          ))}
        </ul>
      </>
    ),
  });
}

/** Renders the subscribers of a page, newest first, with a search, and the form of a new one. */
export function renderSubscribers(visit: Visit, props: Page): Reply {
  const { page, rows, next, find, prevented = {} } = props;
  const canWrite = may(visit, 'subscribers:write');
  const done = DONE.get(visit.query.get('done') ?? '');
  return screen({
    title: words.title,
    visit,
    status: statusOf(prevented),
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">
          <bdi>{page.name}</bdi>
        </p>
        <Summary
          text={done ?? visit.query.get('imported')?.replaceAll(/\D/g, '').replace(/^\d+$/, words.imported)}
          role="status"
        />
        <form class="find" method="get" action={PATH} role="search">
          <input type="hidden" name="page" value={page.id} />
          <TextField name="email" type="search" label={words.find} hint={words.find_hint} value={find} />
          <button class="button plain" type="submit">
            {words.find_button}
          </button>
        </form>
        {rows.length === 0 && <p>{find === '' ? words.none : words.none_found}</p>}
        <ul class="rows">
          {rows.map((subscriber) => (
            <Row subscriber={subscriber} canWrite={canWrite} />
          ))}
        </ul>
        <Pager visit={visit} path={PATH} next={next} />
        <div class="actions">
          {find !== '' && (
            <a class="button plain" href={`${PATH}?page=${page.id}`}>
              {words.all}
            </a>
          )}
          {canWrite && (
            <a class="button plain" href={`${PATH}/import?page=${page.id}`}>
              {words.import}
            </a>
          )}
          <a class="button plain" href={`${PATH}/export?page=${page.id}`}>
            {words.export}
          </a>
        </div>
        {canWrite && <Addition {...props} visit={visit} prevented={prevented} />}
      </>
    ),
  });
}

function Row({ subscriber, canWrite }: { subscriber: SubscriberDto; canWrite: boolean }) {
  const { id, email, status, created_at } = subscriber;
  return (
    <li class="row plain entry">
      <bdi class="what">{email}</bdi>
      <span class="quiet">
        {words.statuses[status]} · {words.since(dateOf(created_at))}
      </span>
      {canWrite && (
        <a class="button plain small" href={`${PATH}/${id}/delete`} aria-label={words.remove_label(email)}>
          {words.remove}
        </a>
      )}
    </li>
  );
}

function Addition({ visit, page, values, prevented }: Page & { visit: Visit; prevented: Prevented }) {
  return (
    <section>
      <h2>{words.add}</h2>
      <form class="form" method="post" action={PATH}>
        <FormKeys visit={visit} />
        <input type="hidden" name="page" value={page.id} />
        <Trouble {...prevented} />
        <TextField
          name="email"
          type="email"
          label={words.email}
          hint={words.confirmed_hint}
          value={values.email}
          errors={prevented.errors}
        />
        <Check name="confirmed" label={words.confirmed} checked={values.confirmed} />
        <SubmitButton text={words.add} />
      </form>
    </section>
  );
}
