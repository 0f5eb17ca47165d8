import { Controller, Param } from '@nestjs/common';
import { AccessService } from '../../access/access.service.js';
import type { Actor } from '../../platform/auth/actor.js';
import { Env } from '../../platform/config/env.js';
import { canSendMail } from '../../platform/config/mail-env.js';
import { OwnId } from '../own-id.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { ACCESS_LABELS, accessIn, accessOf, type ReadAccess, renderAccess, toAccess } from './access-form.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader } from './page-reader.js';

/** Shows the rules of who may see a private page, and changes them. */
@Controller('manage/pages')
export class PageAccessController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly access: AccessService,
    private readonly env: Env,
  ) {}

  @Screen(':id/access', 'status_pages:write')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.read(visit.actor, id);
    return renderAccess(visit, read, { values: accessOf(read.access), canMail: canSendMail(this.env) });
  }

  @Form(':id/access', 'status_pages:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const read = await this.read(actor, id);
    const values = accessIn(sent);
    const shown = { values, canMail: canSendMail(this.env) };
    return this.changes.run(visit, {
      labels: ACCESS_LABELS,
      checked: toAccess(values, read.access),
      write: (rules) => this.access.replace(actor, id, rules, versionIn(sent)),
      form: async (errors) => renderAccess(visit, read, { ...shown, errors }),
      conflict: async () =>
        renderAccess(visit, read, {
          ...shown,
          conflict: { author: await this.reader.lastAuthor(actor, id) },
        }),
      done: `${pathOf({ id }, 'access')}?done=saved`,
    });
  }

  private async read(actor: Actor, id: string): Promise<ReadAccess> {
    return { ...(await this.reader.read(actor, id)), access: await this.access.get(actor, id) };
  }
}
