import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Record of an attempt to call a webhook endpoint. */
export interface Attempt {
  /** When it began (RFC 3339). */
  at: string;
  duration_ms: number;
  /** HTTP status of the response, or null without a response. */
  status_code: number | null;
  /** The first 500 bytes of the response's body, or null if there was no response. */
  response: string | null;
  /** Reason of the failure, or null. */
  error: string | null;
}

/**
 * One message to one recipient. An event has at most one delivery for each recipient. Finished deliveries are kept for 30 days
 * and contain no address.
 */
@Entity('deliveries')
@Check(
  'deliveries_status_check',
  `status IN (${DELIVERY_STATUSES.map((status) => `'${status}'`).join(', ')})`,
)
@Unique('deliveries_event_id_recipient_id_key', ['event_id', 'recipient_id'])
@Index('deliveries_queue_idx', ['channel', 'organization_id', 'project_id', 'due_at', 'id'], {
  where: `status = 'pending'`,
})
@Index('deliveries_endpoint_idx', ['organization_id', 'recipient_id', 'created_at', 'id'], {
  where: `channel = 'webhook'`,
})
@Index('deliveries_status_idx', ['organization_id', 'recipient_id', 'status', 'created_at', 'id'], {
  where: `channel = 'webhook'`,
})
@Index('deliveries_failed_idx', ['organization_id', 'finished_at'], { where: `status = 'failed'` })
@Index('deliveries_waiting_idx', ['organization_id', 'project_id', 'channel'], {
  where: `status = 'pending' AND attempts = 0`,
})
export class Delivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  project_id!: string;

  /** Name of the channel that sends it, such as `email`. */
  @Column('text')
  channel!: string;

  /** `event`, or a kind of message that the channel defines, such as `confirmation`. */
  @Column('text', { default: 'event' })
  kind!: string;

  /** Null unless `kind` is `event`. */
  @Column('uuid', { nullable: true })
  event_id!: string | null;

  /** ID of the subscriber or the webhook endpoint. */
  @Column('uuid')
  recipient_id!: string;

  @Column('text', { default: 'pending' })
  status!: DeliveryStatus;

  /** Number of attempts that have begun. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Fencing token: increases with each claim. Only the process with the current token may finish the delivery. */
  @Column('integer', { default: 0 })
  lease!: number;

  /** When the next attempt is due. While a process sends the message: when its lease ends. */
  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finished_at!: Date | null;

  /** Reason of the last failure, without the address. At most 200 characters. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Attempts of which the channel keeps a record, oldest first. */
  @Column('jsonb', { default: [] })
  attempt_log!: Attempt[];
}
