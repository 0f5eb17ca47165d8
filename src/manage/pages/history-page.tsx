import type { RevisionDto } from '../../status-pages/revisions/dto/revision.dto.js';
import { LinkButton, SubmitButton } from '../buttons.js';
import type { Errors } from '../errors-of-fields.js';
import { Summary } from '../fields.js';
import { LinkRow } from '../link-row.js';
import type { Part } from '../pager.js';
import type { Reply } from '../reply.js';
import { dateOf } from '../times.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import type { Difference } from './page-differences.js';
import { Hidden, pageScreen, pathOf } from './page-frame.js';
import type { ReadPage } from './page-reader.js';
import { statusOf } from './sections-page.js';

/** Maximum number of differences that a screen shows. */
const MAX_DIFFERENCES = 50;

const { page: pageWords } = WORDS;
const words = pageWords.history;

/** Renders the changes of a page, newest first, and a choice of two states to compare. @param next cursor of older changes */
export function renderHistory(
  visit: Visit,
  read: ReadPage,
  { rows: revisions, next }: Part<RevisionDto>,
): Reply {
  const path = pathOf(read.page, 'history');
  return pageScreen(visit, read, {
    tab: 'history',
    children: (
      <>
        <p class="quiet">{words.intro}</p>
        <ul class="rows">
          {revisions.map(({ number, operation, changed_fields, actor, created_at }) => (
            <LinkRow path={`${path}/${number}`}>
              <span class="what">
                {operation === 'update' || operation === 'update_settings'
                  ? changed_fields.map((field) => words.fields[field]).join(', ') ||
                    words.operations[operation]
                  : words.operations[operation]}
              </span>
              <bdi class="quiet">{words.who(number, actor.name, dateOf(created_at))}</bdi>
            </LinkRow>
          ))}
        </ul>
        <nav class="actions" aria-label={WORDS.monitors.pages}>
          {visit.query.has('after') && (
            <a class="button small" href={path}>
              {words.newest}
            </a>
          )}
          {next !== null && (
            <a class="button small" href={`${path}?${new URLSearchParams({ after: next })}`} rel="next">
              {words.older}
            </a>
          )}
        </nav>
        {revisions.length > 1 && (
          <section>
            <h2>{words.compare}</h2>
            <form class="form" method="get" action={`${pathOf(read.page)}/comparison`}>
              <div class="pair">
                <Choice name="from" label={words.from} revisions={revisions} chosen={1} />
                <Choice name="to" label={words.to} revisions={revisions} chosen={0} />
              </div>
              <SubmitButton text={words.compare_button} isPlain />
            </form>
          </section>
        )}
      </>
    ),
  });
}

function Choice({
  name,
  label,
  revisions,
  chosen,
}: {
  name: string;
  label: string;
  revisions: RevisionDto[];
  chosen: number;
}) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {revisions.map(({ number, actor, created_at }, index) => (
          <option value={number} selected={index === chosen}>
            {words.who(number, actor.name, dateOf(created_at))}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Renders a change, or the differences of two states. `restorable`: number of the state that can be restored. */
export function renderDifferences(
  visit: Visit,
  read: ReadPage,
  {
    title,
    about,
    differences,
    restorable,
  }: { title: string; about?: string; differences: Difference[]; restorable?: number },
): Reply {
  const path = pathOf(read.page, 'history');
  return pageScreen(visit, read, {
    tab: 'history',
    name: title,
    children: (
      <>
        <h2>{title}</h2>
        {about !== undefined && (
          <p class="quiet">
            <bdi>{about}</bdi>
          </p>
        )}
        <Differences differences={differences} />
        {restorable !== undefined && may(visit, 'status_pages:write') && (
          <LinkButton path={`${path}/${restorable}/restore`} text={words.restore} />
        )}
      </>
    ),
  });
}

/** Renders what changes if a state is restored. Its form restores it. */
export function renderRestore(
  visit: Visit,
  read: ReadPage,
  {
    number,
    differences,
    missing,
    ...result
  }: {
    number: number;
    differences: Difference[];
    /** Number of monitors that no longer exist. */
    missing: number;
    errors?: Errors;
    conflict?: { author: string | undefined };
  },
): Reply {
  const { errors, conflict } = result;
  const path = `${pathOf(read.page, 'history')}/${number}`;
  return pageScreen(visit, read, {
    tab: 'history',
    name: words.restore_title(number),
    ...statusOf(result),
    children: (
      <>
        <h2>{words.restore_title(number)}</h2>
        <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
        <p class="quiet">{words.restore_text}</p>
        <Differences differences={differences} />
        {missing > 0 && <p>{words.missing(missing)}</p>}
        <form class="form" method="post" action={`${path}/restore`}>
          <Hidden visit={visit} version={read.page.updated_at} />
          <div class="actions">
            {differences.length > 0 && (
              <button class="button" type="submit" name="step" value="restore">
                {words.restore_button}
              </button>
            )}
            <a class="button" href={path}>
              {words.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}

/** Renders differences as a table. */
function Differences({ differences }: { differences: Difference[] }) {
  if (differences.length === 0) return <p>{words.same}</p>;
  const more = differences.length - MAX_DIFFERENCES;
  return (
    <>
      <table class="differences">
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, MAX_DIFFERENCES).map(({ label, from, to }) => (
            <tr>
              <th scope="row" dir="auto">
                {label}
              </th>
              <td dir="auto">{from}</td>
              <td dir="auto">{to}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="quiet">{words.further(more)}</p>}
    </>
  );
}

/** Returns who has made a change and when, in words. */
export function aboutOf({ number, actor, created_at }: RevisionDto): string {
  return words.who(number, actor.name, dateOf(created_at));
}
