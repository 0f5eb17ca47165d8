import { Controller } from '@nestjs/common';
import { ApiKeysService } from '../../api-keys/api-keys.service.js';
import { type EventDto, ListEventsQuery } from '../../events/dto/event.dto.js';
import { EventsService } from '../../events/events.service.js';
import { Problem } from '../../platform/problems/problem.js';
import { check, errorsOf } from '../errors-of-fields.js';
import { OwnMembers } from '../own-members.js';
import { plain, ProjectContents } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Screen } from '../routes.js';
import { may, type Visit, Visiting } from '../visit.js';
import { fromLocal } from '../zoned-time.js';
import type { PageNames } from './log-entry.js';
import { LOG_LABELS, type LogChoice, renderLog } from './log-page.js';

/** Number of entries that a screen shows. */
const ROWS = 12;

/** Types of resources whose ID is the ID of a page. */
const PAGE_TYPES = new Set(['status_page', 'branding', 'access', 'preview_link']);

/** Number of keys in the selection. */
const MAX_KEYS = 50;

/** Lists the events that the member can see, by the service of the API. */
@Controller('manage/log')
export class LogScreensController {
  constructor(
    private readonly events: EventsService,
    private readonly contents: ProjectContents,
    private readonly members: OwnMembers,
    private readonly keys: ApiKeysService,
  ) {}

  @Screen('', 'events:read')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, query } = visit;
    const choice = choiceIn(query);
    if (choice.project !== '') await this.contents.project(actor, choice.project);
    const found = { choice, ...(await this.choices(visit)), events: [], pages: new Map(), next: null };
    const { value, errors } = check(ListEventsQuery, toQuery(choice, query.get('after')), LOG_LABELS);
    if (!value) return renderLog(visit, { ...found, errors });
    try {
      const { data, pagination } = await this.events.list(actor, value);
      const events = plain(data);
      const pages = await this.pageNames(visit, events);
      return renderLog(visit, { ...found, events, pages, next: pagination.next_cursor });
    } catch (error) {
      return renderLog(visit, { ...found, errors: errorsOf(error, LOG_LABELS) });
    }
  }

  /** Returns the names of the pages that entries are about. Leaves out deleted pages. */
  private async pageNames({ actor }: Visit, events: readonly EventDto[]): Promise<PageNames> {
    const about = events.filter(({ resource_type }) => PAGE_TYPES.has(resource_type));
    const names = new Map<string, string>();
    for (const id of new Set(about.map(({ resource_id }) => resource_id))) {
      const page = await this.contents.page(actor, id).catch(ignoreNotFound);
      if (page) names.set(id, page.name);
    }
    return names;
  }

  private async choices(visit: Visit) {
    const { actor } = visit;
    const { projects } = await this.contents.projects(actor);
    const members = may(visit, 'members:read')
      ? (await this.members.list(actor, new URLSearchParams())).rows
      : [];
    const keys = may(visit, 'api_keys:read')
      ? plain((await this.keys.list(actor, { limit: MAX_KEYS })).data)
      : [];
    return { projects, members, keys };
  }
}

/** @throws any other error than a missing page */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
}

function choiceIn(query: URLSearchParams): LogChoice {
  const of = (name: string) => query.get(name)?.trim() ?? '';
  return {
    actor: of('actor'),
    type: of('type'),
    project: of('project'),
    resource: of('resource'),
    from: of('from'),
    to: of('to'),
  };
}

/** Returns the query of the API. An invalid time stays as it is, so that the validation rejects it. */
function toQuery({ actor, type, project, resource, from, to }: LogChoice, after: string | null): object {
  const timeOf = (text: string) => fromLocal(text, 'UTC')?.toISOString() ?? text;
  return {
    limit: String(ROWS),
    ...(actor !== '' && { actor_id: actor }),
    ...(type !== '' && { type }),
    ...(project !== '' && { project_id: project }),
    ...(resource !== '' && { resource_id: resource }),
    ...(from !== '' && { from: timeOf(from) }),
    ...(to !== '' && { to: timeOf(to) }),
    ...(after !== null && { cursor: after }),
  };
}
