import { Injectable } from '@nestjs/common';
import { PageLookupService, type PrivatePage } from '../status-pages/page-lookup.service.js';
import { AccessRepository, type StoredAccess } from './access.repository.js';
import type { OidcRule } from './status-page-access.entity.js';

/** Rules of who may see a private page. At least one of them lets in visitors. */
export interface AccessRules {
  /** ID of the page. */
  id: string;
  organization_id: string;
  /** Changes with each change of the rules. Sessions are bound to it. */
  version: string;
  /** Argon2id; null: no password. */
  password_hash: string | null;
  emails: string[];
  email_domains: string[];
  networks: string[];
  oidc: OidcRule | null;
  /** Encrypted; null: a client without a secret. */
  oidc_client_secret: Buffer | null;
}

/** A private page with its rules. */
export interface GatedPage extends PrivatePage {
  rules: AccessRules;
}

/** A private page with rules, and the parts of them that show without a password or a mail who may see it. */
export type GatedSlug = Pick<PrivatePage, 'id' | 'slug' | 'organization_id'> &
  Pick<AccessRules, 'version' | 'networks'>;

/** Reads for visitors who may see private pages. Each visit reads the database, so that a change applies to it immediately. */
@Injectable()
export class AccessRulesService {
  constructor(
    private readonly repository: AccessRepository,
    private readonly pageLookup: PageLookupService,
  ) {}

  /** Returns the rules of a page, or undefined if it is public, does not exist, or its rules let in no visitor. */
  async find(pageId: string): Promise<AccessRules | undefined> {
    const page = await this.pageLookup.findPrivateById(pageId);
    return page && this.rulesOf(page);
  }

  /** Returns the private page with this slug and its rules, or undefined as {@link find}, after the same statement. */
  async findBySlug(slug: string): Promise<GatedPage | undefined> {
    const found = await this.repository.findBySlug(slug);
    if (!found) return undefined;
    const { access, ...page } = found;
    return { ...page, rules: toRules(access) };
  }

  /** Returns the private pages with these slugs whose rules let in visitors. */
  async gatedAmong(slugs: string[]): Promise<GatedSlug[]> {
    const found = await this.repository.findGated(slugs);
    return found.map(({ updated_at, ...gate }) => ({ ...gate, version: updated_at.toISOString() }));
  }

  /** Returns whether rules of any page let in addresses, which get a link by mail. Only for the startup. */
  async anyTakesEmail(): Promise<boolean> {
    return this.repository.anyTakesEmail();
  }

  private async rulesOf({ id, organization_id }: PrivatePage): Promise<AccessRules | undefined> {
    const access = await this.repository.findOfPage({ organization_id, status_page_id: id });
    return access && letsIn(access) ? toRules(access) : undefined;
  }
}

function letsIn({ password_hash, emails, email_domains, networks, oidc }: StoredAccess): boolean {
  return password_hash !== null || oidc !== null || [...emails, ...email_domains, ...networks].length > 0;
}

function toRules({ status_page_id, updated_at, ...rules }: StoredAccess): AccessRules {
  return { ...rules, id: status_page_id, version: updated_at.toISOString() };
}
