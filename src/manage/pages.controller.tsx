import { Controller } from '@nestjs/common';
import { PageUrls } from '../domains/page-urls.js';
import { CreateStatusPageDto } from '../status-pages/dto/create-status-page.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { SubmitButton } from './buttons.js';
import { check, type Labels } from './errors-of-fields.js';
import { Choice, TextField } from './fields.js';
import { screen } from './frame.js';
import { type OwnProject, ProjectContents } from './project-contents.js';
import type { Reply } from './reply.js';
import { FormKeys, Trouble } from './resource-form.js';
import { Form, Screen } from './routes.js';
import { type Prevented, Saving, statusOf } from './saving.js';
import { may, type Visit, Visiting } from './visit.js';
import { previewPath } from './pages/page-frame.js';
import { WORDS } from './words.js';

const { pages: words } = WORDS;

/** Labels of a new page's fields. */
const PAGE_LABELS: Labels = { name: words.name, project_id: words.project, is_public: words.visibility };

/** Values in the form of a new page. */
type PageValues = Record<'name' | 'project_id', string> & { is_public: boolean };

/** Lists and creates status pages, with links to their screens and to what visitors see. */
@Controller('manage/pages')
export class PageScreensController {
  constructor(
    private readonly contents: ProjectContents,
    private readonly urls: PageUrls,
    private readonly statusPages: StatusPagesService,
    private readonly saving: Saving,
  ) {}

  @Screen('', 'status_pages:read')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    return this.list(visit, { name: '', project_id: '', is_public: true });
  }

  @Form('', 'status_pages:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const values = {
      name: (sent.get('name') ?? '').trim(),
      project_id: sent.get('project_id') ?? '',
      is_public: sent.get('is_public') !== 'false',
    };
    const { name, project_id, is_public } = values;
    if (project_id !== '') await this.contents.project(actor, project_id);
    const fields = { ...(name !== '' && { name }), ...(project_id !== '' && { project_id }), is_public };
    return this.saving.run(visit, {
      labels: PAGE_LABELS,
      checked: check(CreateStatusPageDto, fields, PAGE_LABELS),
      write: async (page) => `/manage/pages/${(await this.statusPages.create(actor, page)).id}/sections`,
      form: (prevented) => this.list(visit, values, prevented),
    });
  }

  private async list(visit: Visit, values: PageValues, prevented: Prevented = {}): Promise<Reply> {
    const { projects, hasMore } = await this.contents.projects(visit.actor);
    const found = [];
    for (const project of projects)
      found.push({ project, pages: await this.contents.pages(visit.actor, project.id) });
    const canWrite = may(visit, 'status_pages:write');
    const isEmpty = found.every(({ pages }) => pages.length === 0);
    return screen({
      title: words.title,
      visit,
      current: 'pages',
      status: statusOf(prevented),
      children: (
        <>
          <h1>{words.title}</h1>
          {isEmpty && <p>{words.none}</p>}
          {found
            .filter(({ pages }) => pages.length > 0)
            .map(({ project, pages }) => (
              <section class="project">
                {projects.length > 1 && (
                  <h2>
                    <bdi>{project.name}</bdi>
                  </h2>
                )}
                <ul class="rows">
                  {pages.map((page) => (
                    <li class="row plain entry">
                      <a class="what" href={`/manage/pages/${page.id}`}>
                        <bdi>{page.name}</bdi>
                      </a>
                      <span class="quiet">
                        {this.urls.of(page).replace(/^https?:\/\//, '')}
                        {!page.is_public && ` · ${words.private}`}
                      </span>
                      <span class="moves">
                        {page.is_public ? (
                          <a
                            class="open"
                            href={this.urls.of(page)}
                            aria-label={WORDS.page.open_label(page.name)}
                          >
                            {WORDS.page.open}
                          </a>
                        ) : (
                          canWrite && (
                            <a
                              class="open"
                              href={previewPath(page)}
                              aria-label={words.preview_label(page.name)}
                            >
                              {words.preview}
                            </a>
                          )
                        )}
                        {canWrite && (
                          <a
                            class="button small"
                            href={`/manage/pages/${page.id}`}
                            aria-label={words.edit_label(page.name)}
                          >
                            {words.edit}
                          </a>
                        )}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          {hasMore && <p class="quiet">{WORDS.now.only_some_projects(projects.length)}</p>}
          {canWrite && projects.length > 0 && (
            <NewPage visit={visit} projects={projects} values={values} prevented={prevented} />
          )}
        </>
      ),
    });
  }
}

interface NewPageProps {
  visit: Visit;
  projects: OwnProject[];
  values: PageValues;
  prevented: Prevented;
}

/** Renders the form of a new page. */
function NewPage({ visit, projects, values, prevented }: NewPageProps) {
  const { errors } = prevented;
  const [first] = projects;
  return (
    <section>
      <h2>{words.add}</h2>
      <form class="form" method="post" action="/manage/pages">
        <FormKeys visit={visit} />
        <Trouble {...prevented} />
        <TextField
          name="name"
          label={words.name}
          hint={words.name_hint}
          value={values.name}
          errors={errors}
        />
        {projects.length === 1 ? (
          <input type="hidden" name="project_id" value={first?.id} />
        ) : (
          <Choice
            name="project_id"
            label={words.project}
            hint={words.project_hint}
            value={values.project_id}
            options={projects.map(({ id, name }) => ({ value: id, text: name }))}
            errors={errors}
          />
        )}
        <Choice
          name="is_public"
          label={words.visibility}
          hint={words.visibility_hint}
          value={String(values.is_public)}
          options={[
            { value: 'true', text: words.public },
            { value: 'false', text: words.not_yet },
          ]}
          errors={errors}
        />
        <SubmitButton text={words.add} />
      </form>
    </section>
  );
}
