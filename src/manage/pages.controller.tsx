import { Controller } from '@nestjs/common';
import { PageUrls } from '../domains/page-urls.js';
import { screen } from './frame.js';
import { ProjectContents } from './project-contents.js';
import type { Reply } from './reply.js';
import { Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';
import { WORDS } from './words.js';

const { pages: words } = WORDS;

/** Lists status pages, with links to their screens and to what visitors see. */
@Controller('manage/pages')
export class PageScreensController {
  constructor(
    private readonly contents: ProjectContents,
    private readonly urls: PageUrls,
  ) {}

  @Screen('', 'status_pages:read')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    const { projects, hasMore } = await this.contents.projects(visit.actor);
    const found = [];
    for (const project of projects)
      found.push({ project, pages: await this.contents.pages(visit.actor, project.id) });
    const isEmpty = found.every(({ pages }) => pages.length === 0);
    return screen({
      title: words.title,
      visit,
      current: 'pages',
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
                      <a
                        class="button small"
                        href={this.urls.of(page)}
                        aria-label={WORDS.page.open_label(page.name)}
                      >
                        {WORDS.page.open}
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          {hasMore && <p class="quiet">{WORDS.now.only_some_projects(projects.length)}</p>}
        </>
      ),
    });
  }
}
