import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Monitor } from '../monitors/monitor.entity.js';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';

/**
 * A monitor whose status has changed, without an event, because its project had too many. At `due_at`, one event is recorded for
 * all its changes. The state of the monitor is locked in each transaction that writes the row.
 */
@Entity('deferred_status_changes')
@Index('deferred_status_changes_queue_idx', ['due_at', 'organization_id'])
export class DeferredStatusChange {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  /** Status before the first of the changes; null: unknown. */
  @Column('enum', { enum: [...REPORTED_STATUSES], enumName: 'monitor_status', nullable: true })
  from!: ReportedStatus | null;

  /** Number of the changes. */
  @Column('integer', { default: 1 })
  changes!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  due_at!: Date;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;
}
