import type { SectionDto } from '../../status-pages/dto/section.dto.js';
import type { Errors } from '../errors-of-fields.js';
import { Summary, TextField } from '../fields.js';
import type { Reply } from '../reply.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { sliceOf } from './moves.js';
import { MoveButtons, Pager, Sorted } from './ordered-rows.js';
import { Hidden, pageScreen, pathOf } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

/** Number of sections that a screen shows. */
export const SECTION_ROWS = 25;

const { page: pageWords } = WORDS;
const words = pageWords.sections;

/** Result of a form that shows a screen of the sections again. */
export interface SectionsResult {
  title?: string;
  /** Text that the names of the monitors to add contain. */
  find?: string;
  /** IDs of the monitors that the form has chosen. */
  chosen?: string[];
  errors?: Errors;
  /** Another member has changed the page. */
  conflict?: { author: string | undefined };
}

/** Returns the status of a screen that a form shows again. */
export function statusOf({ errors, conflict }: Pick<SectionsResult, 'errors' | 'conflict'>) {
  return errors ? { status: 400 } : conflict ? { status: 409 } : {};
}

/** Returns the path of a section's screen. */
export function sectionPath(page: { id: string }, { id }: Pick<SectionDto, 'id'>): string {
  return `${pathOf(page, 'sections')}/${id}`;
}

/** Renders the sections of a page in their order, with the form of a new one. */
export function renderSections(visit: Visit, read: ReadPage, result: SectionsResult = {}): Reply {
  const { page } = read;
  const { title = '', errors, conflict } = result;
  const canWrite = may(visit, 'status_pages:write');
  const summary = errors?.['form'] ?? (conflict && pageWords.changed(conflict.author));
  return pageScreen(visit, read, {
    tab: 'sections',
    ...statusOf(result),
    children: (
      <>
        <Summary text={summary} />
        <p class="quiet">{page.sections.length === 0 ? words.none : words.intro}</p>
        <Sections visit={visit} read={read} canWrite={canWrite} />
        {canWrite && (
          <section id="new">
            <h2>{words.add}</h2>
            <form class="form" method="post" action={pathOf(page, 'sections')}>
              <Hidden visit={visit} version={page.updated_at} />
              <TextField
                name="title"
                label={words.title}
                hint={words.title_hint}
                value={title}
                errors={errors}
              />
              <div class="actions">
                <button class="button" type="submit">
                  {words.add}
                </button>
              </div>
            </form>
          </section>
        )}
      </>
    ),
  });
}

function Sections({ visit, read: { page }, canWrite }: { visit: Visit; read: ReadPage; canWrite: boolean }) {
  const slice = sliceOf(page.sections, Number(visit.query.get('page')), SECTION_ROWS);
  const rows = (
    <ul class="rows">
      {slice.rows.map(({ id, title, monitor_ids }, index) => (
        <li class="row plain entry" id={`s-${id}`}>
          <a class="what" href={sectionPath(page, { id })}>
            <bdi>{title}</bdi>
          </a>
          <span class="quiet">{words.monitors(monitor_ids.length)}</span>
          {canWrite && (
            <MoveButtons
              id={id}
              name={title}
              isFirst={slice.start + index === 0}
              isLast={slice.start + index === page.sections.length - 1}
            />
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {canWrite && slice.rows.length > 0 ? (
        <Sorted
          visit={visit}
          version={page.updated_at}
          action={`${pathOf(page)}/section-order`}
          slice={slice}
          total={page.sections.length}
        >
          {rows}
        </Sorted>
      ) : (
        rows
      )}
      <Pager slice={slice} path={pathOf(page, 'sections')} />
    </>
  );
}

/** Asks whether to remove a section. */
export function renderSectionRemoval(
  visit: Visit,
  read: ReadPage,
  section: SectionDto,
  result: SectionsResult = {},
): Reply {
  const { errors, conflict } = result;
  const path = sectionPath(read.page, section);
  return pageScreen(visit, read, {
    tab: 'sections',
    name: words.remove_title(section.title),
    ...statusOf(result),
    children: (
      <>
        <h2>
          <bdi>{words.remove_title(section.title)}</bdi>
        </h2>
        <form class="form" method="post" action={`${path}/remove`}>
          <Hidden visit={visit} version={read.page.updated_at} />
          <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
          <p>{words.remove_text}</p>
          <div class="actions">
            <button class="button danger" type="submit" name="step" value="remove">
              {words.remove}
            </button>
            <a class="button" href={path}>
              {words.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}
