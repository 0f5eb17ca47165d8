import { Shape } from '../../page-documents/components/status.js';
import type { SectionDto } from '../../status-pages/dto/section.dto.js';
import { Check, Group, Summary, TextField } from '../fields.js';
import { Finder, matching } from '../monitor-grades.js';
import type { OwnMonitor } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Crumb } from '../resource-form.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { sliceOf } from './moves.js';
import { MoveButtons, Pager, Sorted } from './ordered-rows.js';
import { Hidden, pageScreen, pathOf } from './page-frame.js';
import type { ReadPage } from './page-reader.js';
import { sectionPath, type SectionsResult, statusOf } from './sections-page.js';

/** Number of monitors of the section that the screen shows. */
export const MONITOR_ROWS = 20;
/** Number of other monitors to add. */
const MAX_CHOICE = 12;

const { page: pageWords } = WORDS;
const words = pageWords.sections;

/** A section with the monitors of its project. */
export interface ReadSection extends ReadPage {
  section: SectionDto;
  /** By name. */
  monitors: OwnMonitor[];
}

/** Renders a section: its title, its monitors in their order, and monitors to add. */
export function renderSection(visit: Visit, read: ReadSection, result: SectionsResult = {}): Reply {
  const { page, section } = read;
  const { title = section.title, errors, conflict } = result;
  const path = sectionPath(page, section);
  const summary = errors?.['form'] ?? (conflict && pageWords.changed(conflict.author));
  const canWrite = may(visit, 'status_pages:write');
  return pageScreen(visit, read, {
    tab: 'sections',
    name: section.title,
    ...statusOf(result),
    children: (
      <>
        <Crumb path={pathOf(page, 'sections')} text={words.sections} />
        <h2>
          <bdi>{section.title}</bdi>
        </h2>
        {visit.query.get('done') === 'added' && <Added page={page} />}
        <Summary text={summary} />
        {canWrite && (
          <form class="find" method="post" action={path}>
            <Hidden visit={visit} version={page.updated_at} />
            <TextField
              name="title"
              label={words.title}
              value={title}
              errors={errors}
              {...(conflict && title !== section.title && { theirs: section.title })}
            />
            <button class="button plain" type="submit">
              {words.rename}
            </button>
          </form>
        )}
        <section>
          <h3>{words.list}</h3>
          <Monitors visit={visit} read={read} canWrite={canWrite} />
        </section>
        {canWrite && <Others visit={visit} read={read} result={result} />}
        {canWrite && (
          <div class="actions">
            <a class="button danger" href={`${path}/remove`}>
              {words.remove_section}
            </a>
          </div>
        )}
      </>
    ),
  });
}

interface Part {
  visit: Visit;
  read: ReadSection;
}

/** Confirms that monitors have been added, and leads to what people do next. */
function Added({ page }: Pick<ReadPage, 'page'>) {
  const path = pathOf(page, 'sections');
  return (
    <Summary text={page.is_public ? words.added : words.added_private} role="status">
      <span class="next">
        <a href={path}>{words.all_sections}</a>
        <a href={`${path}#new`}>{words.another}</a>
      </span>
    </Summary>
  );
}

function Monitors({ visit, read, canWrite }: Part & { canWrite: boolean }) {
  const { page, section, monitors } = read;
  const { monitor_ids } = section;
  if (monitor_ids.length === 0) return <p class="quiet">{words.empty}</p>;
  const known = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const slice = sliceOf(monitor_ids, Number(visit.query.get('page')), MONITOR_ROWS);
  const path = sectionPath(page, section);
  const rows = (
    <ul class="rows">
      {slice.rows.map((id, index) => {
        const { name, status } = known.get(id) ?? { name: id, status: 'unknown' as const };
        return (
          <li class="row plain" id={`m-${id}`}>
            <Shape status={status} />
            <bdi class="what">{name}</bdi>
            {canWrite && (
              <MoveButtons
                id={id}
                name={name}
                isFirst={slice.start + index === 0}
                isLast={slice.start + index === monitor_ids.length - 1}
              >
                <button
                  class="button plain small"
                  name="remove"
                  value={id}
                  aria-label={words.remove_label(name)}
                >
                  {words.remove}
                </button>
              </MoveButtons>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {canWrite ? (
        <Sorted
          visit={visit}
          version={page.updated_at}
          action={`${path}/monitors`}
          slice={slice}
          total={monitor_ids.length}
        >
          {rows}
        </Sorted>
      ) : (
        rows
      )}
      <Pager slice={slice} path={path} />
    </>
  );
}

/**
 * Renders the monitors of the project that are not in the section: the chosen ones, then those in no section of the page. The search
 * belongs to the form, so that it keeps the chosen ones.
 */
function Others({ visit, read, result }: Part & { result: SectionsResult }) {
  const { page, section, monitors } = read;
  const { find = '', chosen = [], errors } = result;
  const inSection = new Set(section.monitor_ids);
  const onPage = new Set(page.sections.flatMap(({ monitor_ids }) => monitor_ids));
  const isChosen = new Set(chosen);
  const found = matching(monitors, find);
  const rank = ({ id }: OwnMonitor) => (isChosen.has(id) ? 0 : onPage.has(id) ? 2 : 1);
  const others = monitors
    .filter(({ id }) => !inSection.has(id))
    .toSorted((one, other) => rank(one) - rank(other));
  const candidates = others.filter(({ id }) => isChosen.has(id) || found.has(id));
  const [shown, further] = [candidates.slice(0, MAX_CHOICE), candidates.slice(MAX_CHOICE)];
  const hidden = further.filter(({ id }) => isChosen.has(id));
  if (others.length === 0)
    return (
      <section id="add">
        <h3>{words.add_monitors}</h3>
        <p class="quiet">{words.all_in}</p>
      </section>
    );
  return (
    <section id="add">
      <h3>{words.add_monitors}</h3>
      <form class="form" method="post" action={`${sectionPath(page, section)}/monitors`}>
        <Hidden visit={visit} version={page.updated_at} />
        {(others.length > MAX_CHOICE || find !== '') && (
          <Finder
            find={find}
            more={find === '' ? others.length - shown.length - hidden.length : 0}
            action={`${sectionPath(page, section)}/monitors#add`}
          />
        )}
        {!others.some(({ id }) => found.has(id)) && <p class="quiet">{WORDS.incident.found_none(find)}</p>}
        {shown.length > 0 && (
          <>
            <Group name="monitor_ids" label={words.choose} errors={errors}>
              <div class="checks">
                {shown.map(({ id, name }) => (
                  <Check name="monitor_ids" value={id} label={name} checked={isChosen.has(id)} />
                ))}
              </div>
              {hidden.map(({ id }) => (
                <input type="hidden" name="monitor_ids" value={id} />
              ))}
              {hidden.length > 0 && <p class="quiet">{WORDS.incident.chosen_hidden(hidden.length)}</p>}
            </Group>
            <div class="actions">
              <button class="button" type="submit" name="step" value="add">
                {words.add_button}
              </button>
            </div>
          </>
        )}
      </form>
    </section>
  );
}
