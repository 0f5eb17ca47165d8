import { Injectable } from '@nestjs/common';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { screen } from './frame.js';
import { LinkRow } from './link-row.js';
import { ProjectContents } from './project-contents.js';
import type { Reply } from './reply.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

/** Maximum number of projects to choose from. */
const MAX_CHOICE = 100;

const { projects: words } = WORDS;

/** Asks for the project of something new, unless there is only one, or the link names it. */
@Injectable()
export class ProjectChoice {
  constructor(private readonly contents: ProjectContents) {}

  /**
   * @param path of the screen
   * @param show returns the screen for a project
   * @throws Problem 404 `not_found` for a project that the member does not see
   */
  async of(visit: Visit, path: string, show: (projectId: string) => Promise<Reply>): Promise<Reply> {
    const named = visit.query.get('project');
    if (named !== null && UUID_PATTERN.test(named))
      return show((await this.contents.project(visit.actor, named)).id);
    const { projects, hasMore } = await this.contents.projects(visit.actor, MAX_CHOICE);
    const [only] = projects;
    if (only && projects.length === 1) return show(only.id);
    const monitors = await this.contents.countMonitors(
      visit.actor,
      projects.map(({ id }) => id),
    );
    const isEmpty = ({ id }: { id: string }) => Number(!monitors.has(id));
    const ordered = projects.toSorted((one, other) => isEmpty(one) - isEmpty(other));
    return screen({
      title: words.title,
      visit,
      current: path === '/manage/monitors' ? 'monitors' : undefined,
      children: (
        <>
          <h1>{words.title}</h1>
          <p class="quiet">{words.text}</p>
          <ul class="rows">
            {ordered.map(({ id, name }) => (
              <LinkRow path={`${path}?project=${id}`}>
                <bdi class="what">{name}</bdi>
                <span class="quiet">{WORDS.monitors.count(monitors.get(id) ?? 0)}</span>
              </LinkRow>
            ))}
          </ul>
          {hasMore && <p class="quiet">{WORDS.now.only_some_projects(projects.length)}</p>}
        </>
      ),
    });
  }
}
