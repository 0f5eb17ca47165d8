import type { AccessLinkDto } from '../../access/dto/access-link.dto.js';
import { SubmitButton } from '../buttons.js';
import type { Errors, Labels } from '../errors-of-fields.js';
import { Summary, TextField } from '../fields.js';
import { Pager, type Part } from '../pager.js';
import type { Reply } from '../reply.js';
import { FormKeys } from '../resource-form.js';
import { dateOf, timeOf } from '../times.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { pageScreen, pathOf } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { links: words } = WORDS.page_access;

/** Labels of a link's fields. */
export const LINK_LABELS: Labels = { description: words.description };

/** Results that the list confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['revoked', words.revoked],
  ['repeated', words.repeated],
]);

/** Returns the path of the list. */
export function linksPath(page: { id: string }): string {
  return `${pathOf(page, 'access')}/links`;
}

/** Links of a page, and the form of a new one. */
interface LinksPage extends Part<AccessLinkDto> {
  /** Purpose of the new link. */
  value: string;
  errors?: Errors | undefined;
}

/** Renders the links of a page, newest first, without their tokens, and the form of a new one. */
export function renderLinks(visit: Visit, read: ReadPage, shown: LinksPage): Reply {
  const { rows, next, value, errors } = shown;
  const path = linksPath(read.page);
  const done = errors ? undefined : DONE.get(visit.query.get('done') ?? '');
  return pageScreen(visit, read, {
    tab: 'access',
    name: words.title,
    ...(errors && { status: 400 }),
    children: (
      <>
        <h2>{words.title}</h2>
        <p>{words.text}</p>
        <Summary text={done} role="status" />
        {rows.length === 0 && <p class="quiet">{words.none}</p>}
        <ul class="rows">
          {rows.map((link) => (
            <Row link={link} path={path} />
          ))}
        </ul>
        <Pager visit={visit} path={path} next={next} />
        <section>
          <h3>{words.new}</h3>
          <form class="form" method="post" action={path}>
            <FormKeys visit={visit} />
            <Summary text={errors?.['form']} />
            <TextField
              name="description"
              label={words.description}
              hint={words.description_hint}
              value={value}
              errors={errors}
            />
            <SubmitButton text={words.create} />
          </form>
        </section>
      </>
    ),
  });
}

function Row({ link, path }: { link: AccessLinkDto; path: string }) {
  const { id, description, last_used_at, created_at } = link;
  const used = last_used_at ? words.used(timeOf(last_used_at)) : words.never_used;
  return (
    <li class="row plain entry">
      <bdi class="what">{description}</bdi>
      <span class="quiet">
        {used} · {words.since(dateOf(created_at))}
      </span>
      <a
        class="button plain small"
        href={`${path}/${id}/revoke`}
        aria-label={words.revoke_label(description)}
      >
        {words.revoke}
      </a>
    </li>
  );
}
