import { Check, Column, Entity, Index } from 'typeorm';
import type { EventType } from '../events/event-types.js';
import { DeletedWithProject } from '../projects/project-owned.entity.js';

export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** `manual`: by an update; `gone`: the endpoint has responded with 410; `failing`: no success for five days. */
export const DISABLED_REASONS = ['manual', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/**
 * A URL that gets the events of a project, or of one of its status pages. It outlives a deleted status page as long as the page can
 * be restored.
 */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('webhook_endpoints_page_idx', ['organization_id', 'status_page_id'], {
  where: 'status_page_id IS NOT NULL',
})
@Check('webhook_endpoints_format_check', `format IN ('standard', 'slack', 'discord', 'teams')`)
@Check('webhook_endpoints_status_check', `status IN ('enabled', 'disabled')`)
@Check('webhook_endpoints_disabled_reason_check', `disabled_reason IN ('manual', 'gone', 'failing')`)
@Check('webhook_endpoints_disabled_check', `(status = 'disabled') = (disabled_reason IS NOT NULL)`)
@Check('webhook_endpoints_former_secret_check', `(former_secret IS NULL) = (former_secret_until IS NULL)`)
@Check('webhook_endpoints_url_check', 'char_length(url) BETWEEN 1 AND 2048')
@Check('webhook_endpoints_description_check', 'char_length(description) BETWEEN 1 AND 500')
export class WebhookEndpoint extends DeletedWithProject {
  /** Null: the events of the whole project. */
  @Column('uuid', { nullable: true })
  status_page_id!: string | null;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** Empty: all types. */
  @Column('text', { array: true, default: [] })
  event_types!: EventType[];

  @Column('text', { default: 'standard' })
  format!: WebhookFormat;

  @Column('text', { default: 'enabled' })
  status!: EndpointStatus;

  @Column('text', { nullable: true })
  disabled_reason!: DisabledReason | null;

  /** Encrypted by `SecretsService.encrypt`. */
  @Column('bytea')
  secret!: Buffer;

  /** Signs as well until `former_secret_until`. Encrypted. */
  @Column('bytea', { nullable: true })
  former_secret!: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  former_secret_until!: Date | null;

  /** First failed attempt since the last success, or null. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failing_since!: Date | null;
}
