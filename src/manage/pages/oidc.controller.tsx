import { Controller, Param } from '@nestjs/common';
import { AccessService } from '../../access/access.service.js';
import type { Actor } from '../../platform/auth/actor.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { notFound, Problem, validationFailed } from '../../platform/problems/problem.js';
import { Deletions } from '../deletions.js';
import { OwnId } from '../own-id.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { listsOf, type ReadAccess } from './access-form.js';
import { OIDC_LABELS, oidcIn, oidcOf, oidcPath, renderOidc, toOidc } from './oidc-form.js';
import { PageChanges } from './page-changes.js';
import { pathOf } from './page-frame.js';
import { PageReader } from './page-reader.js';

const { oidc: words } = WORDS.page_access;

/** Path of the gate to which providers lead visitors back, below the address of the page. */
const CALLBACK = 'access/oidc/callback';

/** Shows the provider of OpenID Connect of a page, changes it, and removes it. */
@Controller('manage/pages/:id/access/oidc')
export class PageOidcController {
  constructor(
    private readonly reader: PageReader,
    private readonly changes: PageChanges,
    private readonly deletions: Deletions,
    private readonly access: AccessService,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Screen('', 'status_pages:write')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.read(visit.actor, id);
    return renderOidc(visit, read, { values: oidcOf(read.access), redirects: this.redirectsOf(read) });
  }

  @Form('', 'status_pages:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const read = await this.read(actor, id);
    const values = oidcIn(sent);
    const shown = { values, redirects: this.redirectsOf(read) };
    return this.changes.run(visit, {
      labels: OIDC_LABELS,
      checked: toOidc(values, read.access),
      write: (oidc) =>
        this.access
          .replace(actor, id, { ...listsOf(read.access), oidc }, versionIn(sent))
          .catch(throwAtFields),
      form: async (errors) => renderOidc(visit, read, { ...shown, errors }),
      conflict: async () =>
        renderOidc(visit, await this.read(actor, id), {
          ...shown,
          conflict: { author: await this.reader.lastAuthor(actor, id) },
        }),
      done: `${oidcPath({ id })}?done=saved`,
    });
  }

  @Screen('remove', 'status_pages:write')
  async askToRemove(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.remove(visit, id);
  }

  @Form('remove', 'status_pages:write')
  async remove(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const { access } = await this.read(actor, id);
    if (!access.oidc) throw notFound('provider of OpenID Connect');
    const path = oidcPath({ id });
    const question = async () => ({
      action: `${path}/remove`,
      back: { path, text: words.title },
      title: words.remove_title,
      text: words.remove_text,
      version: (await this.access.get(actor, id)).updated_at,
      button: words.remove_button,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.access.replace(actor, id, { ...listsOf(access), oidc: null }, versionIn(sent));
      return `${pathOf({ id }, 'access')}?done=saved`;
    });
  }

  private async read(actor: Actor, id: string): Promise<ReadAccess> {
    return { ...(await this.reader.read(actor, id)), access: await this.access.get(actor, id) };
  }

  /** Returns the redirect URIs of the page's own domain, if it has a verified one, and of the server. */
  private redirectsOf({ page, url }: ReadAccess): string[] {
    const addresses = new Set([url, `${this.publicUrl.value}/status/${page.slug}`]);
    return [...addresses].map((address) => `${address}/${CALLBACK}`);
  }
}

/** Throws errors of the provider at the fields of its form, otherwise the same error. */
function throwAtFields(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'validation_failed' || !error.errors) throw error;
  const named = error.errors.map((one) => ({ ...one, pointer: one.pointer?.replace('#/oidc/', '#/') ?? '' }));
  throw validationFailed(named);
}
