import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import { LinkButton } from '../buttons.js';
import { Summary } from '../fields.js';
import { screen } from '../frame.js';
import { LinkRow } from '../link-row.js';
import { Pager, type Part } from '../pager.js';
import type { OwnProject } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';

const { templates: words, saving } = WORDS;

const PATH = '/manage/templates';

/** Changes that the list confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['saved', saving.saved],
  ['deleted', saving.deleted],
]);

interface Page extends Part<IncidentTemplateDto> {
  project: OwnProject;
}

/** Renders the templates of a project, newest first. */
export function renderTemplates(visit: Visit, { project, rows, next }: Page): Reply {
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">
          <bdi>{project.name}</bdi> · {words.text}
        </p>
        <Summary text={DONE.get(visit.query.get('done') ?? '')} role="status" />
        {may(visit, 'incidents:write') && (
          <LinkButton path={`${PATH}/new?project=${project.id}`} text={words.new} kind="main" />
        )}
        {rows.length === 0 && <p>{words.none}</p>}
        <ul class="rows">
          {rows.map(({ id, name, title, status }) => (
            <LinkRow path={`${PATH}/${id}`}>
              <bdi class="what">{name}</bdi>
              <span class="quiet">
                <bdi>{title}</bdi> · {WORDS.incident_status[status]}
              </span>
            </LinkRow>
          ))}
        </ul>
        <Pager visit={visit} path={PATH} next={next} />
      </>
    ),
  });
}
