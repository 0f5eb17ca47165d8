import type { IncidentTemplateDto } from '../../incidents/templates/dto/incident-template.dto.js';
import { Summary } from '../fields.js';
import { screen } from '../frame.js';
import { Pager } from '../pager.js';
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

interface Page {
  project: OwnProject;
  templates: IncidentTemplateDto[];
  /** Cursor of the templates after these. */
  next: string | null;
}

/** Renders the templates of a project, newest first. */
export function renderTemplates(visit: Visit, { project, templates, next }: Page): Reply {
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
          <div class="actions">
            <a class="button main" href={`${PATH}/new?project=${project.id}`}>
              {words.new}
            </a>
          </div>
        )}
        {templates.length === 0 && <p>{words.none}</p>}
        <ul class="rows">
          {templates.map(({ id, name, title, status }) => (
            <li class="row">
              <a href={`${PATH}/${id}`}>
                <bdi class="what">{name}</bdi>
                <span class="quiet">
                  <bdi>{title}</bdi> · {WORDS.incident_status[status]}
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
