import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { DeletedWithProject } from '../projects/project-owned.entity.js';

export const SUBSCRIBER_STATUSES = ['pending', 'active', 'suppressed'] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];

export const SUPPRESSED_REASONS = ['bounced', 'complained', 'manual'] as const;
export type SuppressedReason = (typeof SUPPRESSED_REASONS)[number];

export const DETAILS = ['all', 'edges'] as const;
export type Detail = (typeof DETAILS)[number];

export const SOURCES = ['visitor', 'api', 'import'] as const;
export type Source = (typeof SOURCES)[number];

const oneOf = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** An address that gets mail about a status page. It outlives a deleted status page as long as the page can be restored. */
@Entity('subscribers')
@Unique('subscribers_status_page_id_email_key_key', ['status_page_id', 'email_key'])
@Index('subscribers_list_idx', ['organization_id', 'status_page_id', 'created_at', 'id'])
@Index('subscribers_status_idx', ['organization_id', 'status_page_id', 'status', 'created_at', 'id'])
@Index('subscribers_project_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('subscribers_email_key_idx', ['organization_id', 'email_key'])
@Index('subscribers_unconfirmed_idx', ['created_at'], { where: `confirmed_at IS NULL` })
@Index('subscribers_recipients_idx', ['organization_id', 'status_page_id', 'id'], {
  where: `status = 'active'`,
})
@Index('subscribers_monitor_ids_idx', { synchronize: false }) // finds the subscribers of a monitor; TypeORM does not support GIN
@Check('subscribers_email_check', 'char_length(email) BETWEEN 3 AND 320')
@Check('subscribers_status_check', `status IN (${oneOf(SUBSCRIBER_STATUSES)})`)
@Check('subscribers_suppressed_reason_check', `suppressed_reason IN (${oneOf(SUPPRESSED_REASONS)})`)
@Check('subscribers_detail_check', `detail IN (${oneOf(DETAILS)})`)
@Check('subscribers_source_check', `source IN (${oneOf(SOURCES)})`)
@Check('subscribers_suppressed_check', `(status = 'suppressed') = (suppressed_reason IS NOT NULL)`)
export class Subscriber extends DeletedWithProject {
  @Column('uuid')
  status_page_id!: string;

  /** As typed. 3 to 320 code points. */
  @Column('text')
  email!: string;

  /** The address in lower case with its domain in ASCII, which identifies it. */
  @Column('text')
  email_key!: string;

  @Column('text', { default: 'pending' })
  status!: SubscriberStatus;

  @Column('text', { nullable: true })
  suppressed_reason!: SuppressedReason | null;

  /** Monitors that the mail is about; null: all. */
  @Column('uuid', { array: true, nullable: true })
  monitor_ids!: string[] | null;

  /** `all`: every update; `edges`: only when an incident or a maintenance window begins, and when it is over. */
  @Column('text', { default: 'all' })
  detail!: Detail;

  /** Whether there is mail about maintenance windows. */
  @Column('boolean', { default: true })
  maintenances!: boolean;

  @Column('text')
  source!: Source;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmed_at!: Date | null;

  /** ID of the API key or member that has confirmed the consent, or null. */
  @Column('uuid', { nullable: true })
  confirmed_by!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_sent_at!: Date | null;

  /** Time of the last permanent rejection since the last delivery. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_bounced_at!: Date | null;

  /** Whether the provider reported it after it had accepted the mail. */
  @Column('boolean', { default: false })
  bounce_is_reported!: boolean;

  /** Hashes of the latest messages whose soft bounce was counted. */
  @Column('text', { array: true, default: [] })
  bounced_messages!: string[];

  /** Whether only soft bounces have suppressed the subscriber, so that a delivery lifts the suppression. */
  @Column('boolean', { default: false })
  is_lifted_by_delivery!: boolean;
}
