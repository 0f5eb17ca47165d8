import { Controller, Param } from '@nestjs/common';
import { Cursor } from '../../platform/pagination/cursor.js';
import { CreateSubscriberDto } from '../../subscribers/dto/create-subscriber.dto.js';
import type { SubscriberDto } from '../../subscribers/dto/subscriber.dto.js';
import { SubscribersService } from '../../subscribers/subscribers.service.js';
import { Deletions } from '../deletions.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
import { plain, ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import { goTo, Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Prevented, Saving } from '../saving.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { csvOf, SUBSCRIBER_COLUMNS } from './subscribers-export.js';
import {
  renderPageChoice,
  renderSubscribers,
  SUBSCRIBER_LABELS,
  type SubscriberValues,
} from './subscribers-page.js';

const { subscribers: words } = WORDS;

const PATH = '/manage/subscribers';

/** Number of subscribers that a screen lists. */
const ROWS = 50;

/** Number of subscribers that one statement of an export reads. */
const EXPORTED_AT_ONCE = 500;

/** Lists, adds, removes and exports subscribers, by the service of the API. */
@Controller('manage/subscribers')
export class SubscriberScreensController {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly contents: ProjectContents,
    private readonly saving: Saving,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'subscribers:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    const named = visit.query.get('page');
    if (named !== null) return this.show(visit, named, { email: '', confirmed: false });
    const { projects } = await this.contents.projects(visit.actor);
    const pages = [];
    for (const { id } of projects) pages.push(...(await this.contents.pages(visit.actor, id)));
    const [only] = pages;
    return only && pages.length === 1 ? goTo(`${PATH}?page=${only.id}`) : renderPageChoice(visit, pages);
  }

  @Form('', 'subscribers:write')
  async add(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const page = await this.contents.page(actor, sent.get('page') ?? '');
    const values = { email: (sent.get('email') ?? '').trim(), confirmed: sent.get('confirmed') === 'on' };
    const { email, confirmed } = values;
    const fields = { status_page_id: page.id, confirmed, ...(email !== '' && { email }) };
    return this.saving.run(visit, {
      labels: SUBSCRIBER_LABELS,
      checked: check(CreateSubscriberDto, fields, SUBSCRIBER_LABELS),
      write: async (subscriber) => {
        await this.subscribers.create(actor, subscriber);
        return `${PATH}?page=${page.id}&done=added`;
      },
      form: (prevented) => this.show(visit, page.id, values, prevented),
    });
  }

  @Screen('export', 'subscribers:read')
  async export(@Visiting() { actor, query }: Visit): Promise<Reply> {
    const page = await this.contents.page(actor, query.get('page') ?? '');
    const lines = [SUBSCRIBER_COLUMNS];
    let cursor: Cursor | undefined;
    do {
      const list = { status_page_id: page.id, limit: EXPORTED_AT_ONCE, ...(cursor && { cursor }) };
      const { rows, next } = partOf(await this.subscribers.list(actor, list));
      lines.push(...rows.map(csvOf));
      cursor = Cursor.parse(next ?? '');
    } while (cursor);
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="subscribers-${page.slug}.csv"`,
    };
    return new Reply(200, headers, lines.join(''));
  }

  @Screen(':id/delete', 'subscribers:write')
  async askToRemove(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.remove(visit, id);
  }

  @Form(':id/delete', 'subscribers:write')
  async remove(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { email, status_page_id } = await this.read(visit, id);
    const question = async () => ({
      action: `${PATH}/${id}/delete`,
      back: { path: `${PATH}?page=${status_page_id}`, text: words.title },
      title: words.remove_title(email),
      text: words.remove_text,
      button: words.remove,
      version: (await this.read(visit, id)).updated_at,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.subscribers.delete(visit.actor, id, versionIn(visit.sent));
      return `${PATH}?page=${status_page_id}&done=removed`;
    });
  }

  private async read({ actor }: Visit, id: string): Promise<SubscriberDto> {
    return plain(await this.subscribers.get(actor, id));
  }

  private async show(
    visit: Visit,
    pageId: string,
    values: SubscriberValues,
    prevented?: Prevented,
  ): Promise<Reply> {
    const { actor, query } = visit;
    const page = await this.contents.page(actor, pageId);
    const find = (query.get('email') ?? '').trim();
    const list = { status_page_id: page.id, ...rangeIn(visit, ROWS), ...(find !== '' && { email: find }) };
    const part = partOf(await this.subscribers.list(actor, list));
    return renderSubscribers(visit, { page, find, values, ...part, prevented });
  }
}
