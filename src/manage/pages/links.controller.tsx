import { Controller, Param } from '@nestjs/common';
import { AccessLinksService } from '../../access/access-links.service.js';
import { CreateAccessLinkDto } from '../../access/dto/create-access-link.dto.js';
import { Deletions } from '../deletions.js';
import { check, type Errors, errorsOf } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { partOf, rangeIn } from '../pager.js';
import { plain } from '../project-contents.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { renderSecret } from '../secret.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { LINK_LABELS, linksPath, renderLinks } from './links-page.js';
import { PageReader } from './page-reader.js';

const { links: words, done } = WORDS.page_access;

/** Number of links that a screen lists. */
const ROWS = 50;

/** Lists, creates and revokes links with tokens to a private page. */
@Controller('manage/pages/:id/access/links')
export class PageLinksController {
  constructor(
    private readonly reader: PageReader,
    private readonly links: AccessLinksService,
    private readonly publishing: Publishing,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'status_pages:write')
  async list(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.show(visit, id, '');
  }

  /** Shows a new link once. A form that is sent again leads to the list. */
  @Form('', 'status_pages:write')
  async create(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const description = (sent.get('description') ?? '').trim();
    const { value, errors } = check(CreateAccessLinkDto, { description: description || null }, LINK_LABELS);
    if (!value) return this.show(visit, id, description, errors);
    const path = linksPath({ id });
    try {
      return await this.publishing.once(
        visit,
        async () => {
          const { url } = await this.links.create(actor, id, value);
          return renderSecret(visit, {
            title: words.once_title,
            text: <bdi>{`${description} · ${words.once}`}</bdi>,
            label: words.link,
            hint: words.link_hint,
            value: url,
            current: 'pages',
            next: { path, text: done },
          });
        },
        () => goTo(`${path}?done=repeated`),
      );
    } catch (error) {
      return this.show(visit, id, description, errorsOf(error, LINK_LABELS));
    }
  }

  @Screen(':link/revoke', 'status_pages:write')
  async askToRevoke(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('link', OwnId) link: string,
  ): Promise<Reply> {
    return this.revoke(visit, id, link);
  }

  @Form(':link/revoke', 'status_pages:write')
  async revoke(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Param('link', OwnId) link: string,
  ): Promise<Reply> {
    const { actor } = visit;
    const path = linksPath({ id });
    const question = async () => {
      const { description } = plain(await this.links.get(actor, id, link));
      return {
        action: `${path}/${link}/revoke`,
        back: { path, text: words.title },
        title: words.revoke_title(description),
        text: words.revoke_text,
        button: words.revoke,
      };
    };
    return this.deletions.run(visit, link, question, async () => {
      await this.links.delete(actor, id, link);
      return `${path}?done=revoked`;
    });
  }

  private async show(visit: Visit, id: string, value: string, errors?: Errors): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const part = partOf(await this.links.list(visit.actor, id, rangeIn(visit, ROWS)));
    return renderLinks(visit, read, { ...part, value, errors });
  }
}
