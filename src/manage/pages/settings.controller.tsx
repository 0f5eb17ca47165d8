import { Controller, Param } from '@nestjs/common';
import { canSendMail } from '../../platform/config/mail-env.js';
import { Env } from '../../platform/config/env.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import type { Errors } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader } from './page-reader.js';
import { renderSettings, SETTINGS_LABELS, settingsIn, settingsOf, toSettings } from './settings-form.js';

/** Shows the settings of a page, and changes them. */
@Controller('manage/pages')
export class PageSettingsController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly statusPages: StatusPagesService,
    private readonly env: Env,
  ) {}

  @Screen(':id', 'status_pages:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    return renderSettings(visit, read, { values: settingsOf(read.page), canMail: canSendMail(this.env) });
  }

  @Form(':id', 'status_pages:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const read = await this.reader.read(actor, id);
    const values = settingsIn(sent);
    const shown = { values, canMail: canSendMail(this.env) };
    const expected = versionIn(sent);
    return this.changes.run(visit, {
      labels: SETTINGS_LABELS,
      checked: toSettings(values),
      // One write, so that one revision contains the fields of both operations of the API.
      write: (patch) =>
        this.statusPages.writeUnique(actor, id, patch, expected, () =>
          this.statusPages.patch(actor, id, patch, { operation: 'update_settings', actor }, expected),
        ),
      form: async (errors: Errors) => renderSettings(visit, read, { ...shown, errors }),
      conflict: async () =>
        renderSettings(visit, read, {
          ...shown,
          conflict: { author: await this.reader.lastAuthor(actor, id) },
        }),
      done: `${pathOf({ id })}?done=saved`,
    });
  }
}
