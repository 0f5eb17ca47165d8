import { Controller, Param } from '@nestjs/common';
import { PreviewLinksService } from '../../status-pages/preview-links/preview-links.service.js';
import { OwnId } from '../own-id.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { renderSecret } from '../secret.js';
import { dateOf } from '../times.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { pathOf, previewPath } from './page-frame.js';
import { PageReader } from './page-reader.js';
import { renderPreview } from './preview-page.js';

const { preview: words, links } = WORDS.page_access;

/** Creates links that show a private page for a day. Like the API, it allows them to everyone who may read the page. */
@Controller('manage/pages/:id/preview')
export class PagePreviewController {
  constructor(
    private readonly reader: PageReader,
    private readonly previewLinks: PreviewLinksService,
    private readonly publishing: Publishing,
  ) {}

  @Screen('', 'status_pages:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderPreview(visit, await this.reader.read(visit.actor, id));
  }

  /** Shows a new link once. A form that is sent again leads to the button. */
  @Form('', 'status_pages:read')
  async create(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { page } = await this.reader.read(visit.actor, id);
    return this.publishing.once(
      visit,
      async () => {
        const { url, expires_at } = await this.previewLinks.create(visit.actor, id);
        return renderSecret(visit, {
          title: words.once_title,
          text: <bdi>{words.once(dateOf(expires_at))}</bdi>,
          label: links.link,
          value: url,
          current: 'pages',
          open: words.open,
          next: { path: pathOf(page), text: words.back },
        });
      },
      () => goTo(`${previewPath(page)}?done=repeated`),
    );
  }
}
