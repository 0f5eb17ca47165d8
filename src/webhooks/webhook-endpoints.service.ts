import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import { RawJson } from '../platform/database/raw-json.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { notFound, Problem, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import type { Reference } from '../platform/problems/references.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { PagesCleanup } from '../status-pages/deleted/pages-cleanup.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { EventContents } from './content/event-content.service.js';
import type { CreateWebhookEndpointDto } from './dto/create-webhook-endpoint.dto.js';
import type { ListWebhookEndpointsQuery } from './dto/list-webhook-endpoints.query.js';
import type { UpdateWebhookEndpointDto } from './dto/update-webhook-endpoint.dto.js';
import type { NewWebhookEndpointDto, WebhookEndpointDto } from './dto/webhook-endpoint.dto.js';
import { EndpointRules } from './endpoint-rules.js';
import {
  type EndpointFilter,
  type LockedEndpoint,
  type WebhookEndpointPatch,
  WebhookEndpointsRepository,
} from './webhook-endpoints.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Maximum number of endpoints of a project. */
const MAX_ENDPOINTS = 100;

/** Time for which the former secret signs as well after a rotation. */
const FORMER_SECRET_MS = 24 * 3_600_000;

/** Fields of a new endpoint, within the limits of the DTO. */
export type NewEndpoint = Omit<CreateWebhookEndpointDto, 'project_id'> & { id?: string | undefined };

/** Manages webhook endpoints. */
@Injectable()
export class WebhookEndpointsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: WebhookEndpointsRepository,
    private readonly projects: ProjectsService,
    private readonly statusPages: StatusPagesService,
    private readonly cleanup: PagesCleanup,
    private readonly rules: EndpointRules,
    private readonly secrets: WebhookSecrets,
    private readonly contents: EventContents,
    private readonly log: WriteLog,
  ) {}

  onModuleInit(): void {
    this.cleanup.onRemove((page, limit) => this.repository.deleteOfPage(page, limit));
    this.contents.register('webhook_endpoint', async (access, id, manager) =>
      withoutPath(await this.get(access, id, manager)),
    );
  }

  /**
   * Lists the endpoints of a project, newest first.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(
    access: ActorAccess,
    { project_id, limit, cursor, ...filter }: ListWebhookEndpointsQuery,
  ): Promise<ListPage<WebhookEndpointDto>> {
    const query = { project_id, limit, cursor };
    return this.projects.listOf(access, listName(filter), query, (project, range) =>
      this.repository.findNewest(project, filter, range),
    );
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string, manager?: EntityManager): Promise<RawJson<WebhookEndpointDto>> {
    const endpoint = await this.repository.findOwn(access, id, manager);
    if (!endpoint) throw notFound('webhook endpoint');
    return endpoint;
  }

  /**
   * Creates an endpoint in a project. Only the return value contains the secret.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` for a URL that cannot be called, or
   * with `unknown_status_page`; 409 `conflict` if the project has {@link MAX_ENDPOINTS}
   */
  async create(
    actor: Actor,
    { project_id, ...fields }: CreateWebhookEndpointDto,
  ): Promise<NewWebhookEndpointDto> {
    this.rules.check(fields.url);
    const project = await this.projects.require(actor, project_id);
    return this.dataSource.transaction(async (manager) => {
      await this.projects.lock(project, manager);
      await this.lockPage(project, fields.status_page_id, manager);
      if ((await this.repository.countIn(project, manager)) >= MAX_ENDPOINTS)
        throw new Problem('conflict', {
          detail: `The project has ${MAX_ENDPOINTS} webhook endpoints, which is the maximum. Delete an unused one.`,
        });
      return this.createIn(actor, project_id, fields, manager);
    });
  }

  /** Creates an endpoint in an existing project, without a limit on their number. The transaction must have locked its page. */
  async createIn(
    actor: Actor,
    project_id: string,
    { id = uuidv7(), ...fields }: NewEndpoint,
    manager: EntityManager,
  ): Promise<NewWebhookEndpointDto> {
    const project = this.projects.projectRef(actor, project_id);
    const { text, encrypted } = this.secrets.generate();
    const disabled_reason = fields.status === 'disabled' ? 'manual' : null;
    const row = { ...fields, ...project, id, disabled_reason, secret: encrypted } as const;
    const endpoint = await this.repository.insertOwn(actor, row, manager).catch(throwIfProjectIsMissing);
    return { ...endpoint, secret: text };
  }

  /**
   * Updates an endpoint. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed` for a URL that cannot be called, or with `unknown_status_page`;
   * 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    patch: UpdateWebhookEndpointDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<WebhookEndpointDto>> {
    if (patch.url !== undefined) this.rules.check(patch.url);
    return this.dataSource.transaction(async (manager) => {
      const head = await this.repository.findHead(actor, id, manager);
      if (!head) throw notFound('webhook endpoint');
      // The present page may have been deleted.
      if (patch.status_page_id !== head.status_page_id)
        await this.lockPage(head, patch.status_page_id, manager);
      const locked = await this.lock(actor, id, expected, manager);
      return this.patchLocked(actor, id, { ...patch, ...derivedOf(locked, patch) }, manager);
    });
  }

  /**
   * Replaces the secret. The former one signs as well for 24 hours. Only the return value contains the secret.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async rotateSecret(actor: Actor, id: string, expected: ExpectedVersions): Promise<NewWebhookEndpointDto> {
    return this.dataSource.transaction(async (manager) => {
      const { secret: former_secret, project_id } = await this.lock(actor, id, expected, manager);
      const { text: secret, encrypted } = this.secrets.generate();
      const former_secret_until = new Date(Date.now() + FORMER_SECRET_MS);
      const patch = { secret: encrypted, former_secret, former_secret_until };
      const { text } = await this.patchLocked(actor, id, patch, manager);
      await this.log.record(
        { actor, type: 'webhook_endpoint.secret_rotated', project_id, resource_id: id },
        manager,
      );
      const endpoint: WebhookEndpointDto = JSON.parse(String(text));
      return { ...endpoint, secret };
    });
  }

  /**
   * Deletes an endpoint. Its pending deliveries are cancelled when they are due.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    if (!(await this.repository.deleteOwn(actor, id, expected)))
      await throwNotFoundOrPreconditionFailed('webhook endpoint', this.repository.findOwn(actor, id));
  }

  private async lockPage(
    project: ProjectRef,
    id: string | null | undefined,
    manager: EntityManager,
  ): Promise<void> {
    const references: Reference[] = id === null || id === undefined ? [] : [{ id, path: ['status_page_id'] }];
    await this.statusPages.lock(project, references, manager);
  }

  private async lock(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    manager: EntityManager,
  ): Promise<LockedEndpoint> {
    return (
      (await this.repository.lockOwn(actor, id, expected, manager, 'NO KEY UPDATE')) ??
      throwNotFoundOrPreconditionFailed('webhook endpoint', this.repository.findOwn(actor, id, manager))
    );
  }

  private async patchLocked(
    actor: Actor,
    id: string,
    patch: WebhookEndpointPatch,
    manager: EntityManager,
  ): Promise<RawJson<WebhookEndpointDto>> {
    const patched = await this.repository.patchOwn(actor, id, patch, undefined, manager);
    if (!patched) throw new Error('a locked webhook endpoint does not exist');
    return patched;
  }
}

/** Returns the read-only columns that an update changes. */
function derivedOf(
  current: LockedEndpoint,
  { url = current.url, status = current.status }: UpdateWebhookEndpointDto,
): WebhookEndpointPatch {
  const isChanged = status !== current.status;
  return {
    ...(isChanged && { disabled_reason: status === 'disabled' ? 'manual' : null }),
    ...((url !== current.url || (isChanged && status === 'enabled')) && { failing_since: null }),
  };
}

/** Returns the name of the list with a filter, so that its cursors are invalid for the lists with other filters. */
function listName({ status, status_page_id }: EndpointFilter): string {
  return ['webhook_endpoints', status, status_page_id].filter((part) => part !== undefined).join('_');
}

/** Returns an endpoint as other endpoints see it: with the origin of its URL only, because the path of a chat's URL is a secret. */
function withoutPath({ text }: RawJson<WebhookEndpointDto>): RawJson<WebhookEndpointDto> {
  const endpoint: WebhookEndpointDto = JSON.parse(String(text));
  return new RawJson(JSON.stringify({ ...endpoint, url: `${new URL(endpoint.url).origin}/` }));
}
