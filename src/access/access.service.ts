import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { NetworkGuard } from '../platform/network/network-guard.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { preconditionFailed, validationFailed } from '../platform/problems/problem.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import { type PageHead, PageLookupService } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { type AccessColumns, AccessRepository, type StoredAccess } from './access.repository.js';
import type { AccessDto } from './dto/access.dto.js';
import type { ReplaceAccessDto, ReplaceAccessOidcDto } from './dto/replace-access.dto.js';
import { OIDC_SECRET } from './oidc-secret.js';
import { Passwords } from '../platform/auth/passwords.js';

const LOCALHOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Manages the rules of who may see private status pages. */
@Injectable()
export class AccessService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: AccessRepository,
    private readonly passwords: Passwords,
    private readonly secrets: SecretsService,
    private readonly network: NetworkGuard,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly log: WriteLog,
  ) {}

  /** @throws Problem 404 `not_found` */
  async get(actor: Actor, id: string): Promise<AccessDto> {
    const head = await this.pageLookup.head(actor, id);
    return toDto(head, await this.repository.findOfPage(refOf(head)));
  }

  /**
   * Replaces the rules of a page. Keeps the password and the client secret if they are omitted. A change ends all sessions.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found`; 400 `validation_failed` for an issuer that is not called; 412 `precondition_failed`;
   * 503 `unavailable` while too many passwords of the organization are being hashed
   */
  async replace(
    actor: Actor,
    id: string,
    { password, oidc, ...lists }: ReplaceAccessDto,
    expected: ExpectedVersions,
  ): Promise<AccessDto> {
    if (oidc) this.checkIssuer(oidc.issuer);
    const { organization_id } = await this.pageLookup.head(actor, id); // so that unknown pages cost no hash
    const password_hash =
      typeof password === 'string' ? await this.passwords.hash(organization_id, password) : password;
    return this.dataSource.transaction(async (manager) => {
      await this.statusPages.lockOwn(actor, id, undefined, manager);
      const head = await this.pageLookup.head(actor, id, manager);
      const page = refOf(head);
      await this.repository.insertDefaults(page, head.created_at, manager);
      if (!(await this.repository.lock(page, expected, manager))) throw preconditionFailed();
      const stored = await this.repository.findOfPage(page, manager);
      const patch = {
        ...lists,
        ...(password_hash !== undefined && { password_hash }),
        ...this.oidcColumns(oidc, stored),
      };
      await this.repository.patch(page, patch, manager);
      const rules = await this.repository.findOfPage(page, manager);
      const changes = changesOf(toLogged(head, stored), toLogged(head, rules), HIDDEN);
      const { project_id } = head;
      await this.log.recordChange(
        { actor, type: 'access.updated', project_id, resource_id: id, changes },
        manager,
      );
      return toDto(head, rules);
    });
  }

  /** A secret is kept only for the same issuer and client, so that it cannot be sent to another issuer. */
  private oidcColumns(
    oidc: ReplaceAccessOidcDto | null,
    stored: StoredAccess | undefined,
  ): Pick<AccessColumns, 'oidc' | 'oidc_client_secret'> {
    if (!oidc) return { oidc: null, oidc_client_secret: null };
    const { client_secret, issuer, client_id, email_domains } = oidc;
    const isSame = stored?.oidc?.issuer === issuer && stored.oidc.client_id === client_id;
    const kept = isSame ? stored.oidc_client_secret : null;
    const oidc_client_secret =
      typeof client_secret === 'string'
        ? this.encryptChanged(client_secret, kept)
        : client_secret === null
          ? null
          : kept;
    return { oidc: { issuer, client_id, email_domains }, oidc_client_secret };
  }

  /** Returns the stored bytes if they contain the same secret, so that the version does not change. */
  private encryptChanged(secret: string, stored: Buffer | null): Buffer {
    try {
      if (stored && this.secrets.decrypt(OIDC_SECRET, stored) === secret) return stored;
    } catch {
      // encrypted by a key that the instance does not have any more
    }
    return this.secrets.encrypt(OIDC_SECRET, secret);
  }

  private checkIssuer(issuer: string): void {
    const { protocol, hostname } = new URL(issuer);
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    const isPermitted = isIP(address) === 0 ? protocol === 'https:' : this.network.permits(address, protocol);
    if (isPermitted || LOCALHOST.test(hostname)) return;
    const detail =
      'must be an absolute URL with https, and a public address, except for localhost and WEBHOOK_ALLOWED_NETWORKS';
    throw validationFailed([{ code: 'invalid_format', detail, pointer: '#/oidc/issuer' }]);
  }
}

function refOf({ organization_id, id }: PageHead) {
  return { organization_id, status_page_id: id };
}

/** Fields whose change the log contains without their values: addresses and secrets. */
const HIDDEN = ['emails', 'password', 'client_secret'];

/** Returns the rules with their secrets, so that a change of one is recorded. */
function toLogged(head: PageHead, stored: StoredAccess | undefined): object {
  const { password_hash: password = null, oidc_client_secret = null } = stored ?? {};
  return { ...toDto(head, stored), password, client_secret: oidc_client_secret?.toString('base64') };
}

function toDto({ id, project_id, created_at }: PageHead, stored: StoredAccess | undefined): AccessDto {
  const { password_hash = null, oidc = null, oidc_client_secret = null } = stored ?? {};
  return {
    has_password: password_hash !== null,
    emails: stored?.emails ?? [],
    email_domains: stored?.email_domains ?? [],
    networks: stored?.networks ?? [],
    oidc: oidc && { ...oidc, has_client_secret: oidc_client_secret !== null },
    status_page_id: id,
    project_id,
    updated_at: stored?.updated_at ?? created_at,
  };
}
