import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Monitor } from '../monitors/monitor.entity.js';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';

/**
 * What the reports of a monitor say now: its current run. The row is also the lock of the monitor's history: whoever changes
 * what its past looks like holds it, see `ReportsService.lockHistory`.
 */
@Entity('monitor_states')
export class MonitorState {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  /** The status of the current run; null: no report yet. */
  @Column('enum', { enum: [...REPORTED_STATUSES], enumName: 'monitor_status', nullable: true })
  status!: ReportedStatus | null;

  /** The first report of the current run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  /** The last report of the current run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_observed_at!: Date | null;

  /** The times of the last reports, newest first, so that one that comes late ends when the next one was made. */
  @Column('timestamptz', { array: true, default: [] })
  observations!: Date[];

  /** As the monitor had it at the last report. For the comparison in an upsert only: the monitor's own may be newer. */
  @Column('integer', { nullable: true })
  stale_after_seconds!: number | null;

  /** Midnight in UTC. Rows of `monitor_days` are valid for days before it; null: none is valid. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closed_before!: Date | null;

  /** Counts the changes of runs, and the reports that end staleness. A change raises the version of the project's pages. */
  @Column('integer', { default: 0 })
  revision!: number;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;
}
