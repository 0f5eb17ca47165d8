import { Controller, Param } from '@nestjs/common';
import { notFound } from '../../platform/problems/problem.js';
import { monitorIdsOf, withoutMissing } from '../../status-pages/revisions/restored-sections.js';
import { RevisionsService } from '../../status-pages/revisions/revisions.service.js';
import type { Errors } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
import { ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { aboutOf, renderDifferences, renderHistory, renderRestore } from './history-page.js';
import { PageChanges } from './page-changes.js';
import { differencesOf, type MonitorNames } from './page-differences.js';
import { pathOf } from './page-frame.js';
import { PageReader, type ReadPage } from './page-reader.js';
import { SETTINGS_LABELS } from './settings-form.js';

const { page: pageWords } = WORDS;
const words = pageWords.history;

/** Number of changes that a screen shows. */
const ROWS = 25;

/** Shows the changes of a page and their differences, and restores a state after a review. */
@Controller('manage/pages/:id')
export class PageHistoryController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly contents: ProjectContents,
    private readonly revisions: RevisionsService,
  ) {}

  @Screen('history', 'status_pages:read')
  async list(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    return renderHistory(
      visit,
      read,
      partOf(await this.revisions.list(visit.actor, id, rangeIn(visit, ROWS))),
    );
  }

  @Screen('history/:number', 'status_pages:read')
  async show(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('number') text: string,
  ): Promise<Reply> {
    const number = numberIn(text);
    const read = await this.reader.read(visit.actor, id);
    const revision = await this.revisions.get(visit.actor, { id, number });
    const { page, before, operation } = revision;
    const names = await this.names(visit, read);
    return renderDifferences(visit, read, {
      title: words.change_title(number),
      about: `${words.operations[operation]} · ${aboutOf(revision)}`,
      differences: differencesOf({ ...page, ...before }, page, names),
      restorable: number,
    });
  }

  @Screen('comparison', 'status_pages:read')
  async compare(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, query } = visit;
    const read = await this.reader.read(actor, id);
    const [from, to] = [numberIn(query.get('from')), numberIn(query.get('to'))];
    const before = await this.revisions.get(actor, { id, number: from });
    const after = await this.revisions.get(actor, { id, number: to });
    return renderDifferences(visit, read, {
      title: words.comparison_title(from, to),
      differences: differencesOf(before.page, after.page, await this.names(visit, read)),
    });
  }

  @Screen('history/:number/restore', 'status_pages:write')
  async review(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('number') text: string,
  ): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    return this.showReview(visit, read, numberIn(text));
  }

  /** Reviews again without the step of the button, for example after another sign-in. */
  @Form('history/:number/restore', 'status_pages:write')
  async restore(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('number') text: string,
  ): Promise<Reply> {
    const number = numberIn(text);
    const { actor, sent } = visit;
    const read = await this.reader.read(actor, id);
    if (sent.get('step') !== 'restore') return this.showReview(visit, read, number);
    return this.changes.run(visit, {
      labels: SETTINGS_LABELS,
      checked: { value: { id, number } },
      write: (params) => this.revisions.restore(actor, params, versionIn(sent)),
      // The form has no fields, so an error of one is shown as one of the form.
      form: async ({ form, ...fields }: Errors) =>
        this.showReview(visit, read, number, {
          errors: { form: Object.values(fields).join(' ') || (form ?? '') },
        }),
      conflict: async () =>
        this.showReview(visit, read, number, {
          conflict: { author: await this.reader.lastAuthor(actor, id) },
        }),
      done: `${pathOf({ id }, 'history')}?done=saved`,
    });
  }

  private async showReview(
    visit: Visit,
    read: ReadPage,
    number: number,
    result: { errors?: Errors; conflict?: { author: string | undefined } } = {},
  ): Promise<Reply> {
    const { page } = await this.revisions.get(visit.actor, { id: read.page.id, number });
    const names = await this.names(visit, read);
    const { sections, omitted_monitor_ids } = withoutMissing(
      page.sections,
      new Set(monitorIdsOf(page.sections).filter((id) => names.has(id))),
    );
    return renderRestore(visit, read, {
      number,
      differences: differencesOf(read.page, { ...page, sections }, names),
      missing: omitted_monitor_ids.length,
      ...result,
    });
  }

  private async names({ actor }: Visit, { page }: ReadPage): Promise<MonitorNames> {
    const monitors = await this.contents.monitors(actor, page.project_id);
    return new Map(monitors.map(({ id, name }) => [id, name]));
  }
}

/** @throws Problem 404 `not_found` */
function numberIn(text: string | null): number {
  if (text === null || !/^[1-9]\d{0,8}$/.test(text)) throw notFound('revision');
  return Number(text);
}
