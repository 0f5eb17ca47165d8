import { Controller, Param, Req } from '@nestjs/common';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { DomainsService } from '../../domains/domains.service.js';
import type { Actor } from '../../platform/auth/actor.js';
import { Problem } from '../../platform/problems/problem.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { versionIn } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { DOMAIN_LABELS, PageDomainDto, type ReadDomain, renderDomain } from './domain-page.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader } from './page-reader.js';

/** Shows the custom domain of a page, changes it, and checks it. */
@Controller('manage/pages')
export class PageDomainController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly statusPages: StatusPagesService,
    private readonly domains: DomainsService,
  ) {}

  @Screen(':id/domain', 'status_pages:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.read(visit.actor, id);
    return renderDomain(visit, read, { value: read.page.custom_domain ?? '' });
  }

  @Form(':id/domain', 'status_pages:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const value = (sent.get('custom_domain') ?? '').trim();
    const expected = versionIn(sent);
    return this.changes.run(visit, {
      labels: DOMAIN_LABELS,
      checked: check(PageDomainDto, { custom_domain: value || null }, DOMAIN_LABELS),
      write: (patch) => this.statusPages.updateSettings(actor, id, patch, expected),
      form: async (errors) => renderDomain(visit, await this.read(actor, id), { value, errors }),
      conflict: async () =>
        renderDomain(visit, await this.read(actor, id), {
          value,
          conflict: { author: await this.reader.lastAuthor(actor, id) },
        }),
      done: `${pathOf({ id }, 'domain')}?done=saved`,
    });
  }

  @Form(':id/domain/check', 'status_pages:write')
  async check(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Req() request: Request,
  ): Promise<Reply> {
    const path = pathOf({ id }, 'domain');
    try {
      await this.domains.verify(visit.actor, id, (work) => withoutTurn(request, work));
      return goTo(path);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error;
      const read = await this.read(visit.actor, id);
      const errors = { form: WORDS.page.domain.too_often };
      return renderDomain(visit, read, { value: read.page.custom_domain ?? '', errors });
    }
  }

  private async read(actor: Actor, id: string): Promise<ReadDomain> {
    const read = await this.reader.read(actor, id);
    const domain = read.page.custom_domain === null ? undefined : await this.domains.get(actor, id);
    return { ...read, domain };
  }
}
