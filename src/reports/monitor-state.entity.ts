import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Monitor } from '../monitors/monitor.entity.js';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';

/**
 * The current run of a monitor. The row also serves as the lock of the monitor's history. Each transaction that changes the
 * history holds it, see `ReportsService.lockHistory`.
 */
@Entity('monitor_states')
export class MonitorState {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  /** Status of the current run; null: no report yet. */
  @Column('enum', { enum: [...REPORTED_STATUSES], enumName: 'monitor_status', nullable: true })
  status!: ReportedStatus | null;

  /** First report of the current run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  /** Last report of the current run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_observed_at!: Date | null;

  /** Times of the last reports, newest first. They determine where a late report with another status ends. */
  @Column('timestamptz', { array: true, default: [] })
  observations!: Date[];

  /**
   * `stale_after_seconds` of the monitor at its last report. Used only for a comparison in an upsert, because the monitor may
   * have a newer value.
   */
  @Column('integer', { nullable: true })
  stale_after_seconds!: number | null;

  /** Midnight in UTC. Rows of `monitor_days` are valid for days before it; null: no valid rows. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closed_before!: Date | null;

  /**
   * Whether the monitor counts as operational from its creation until its first report, unless it has `stale_after_seconds`.
   * False for monitors whose first report is older than this rule.
   */
  @Column('boolean', { default: true })
  is_operational_until_reported!: boolean;

  /** Number of changes of runs, and of reports that ended staleness. A change increases the version of the project's pages. */
  @Column('integer', { default: 0 })
  revision!: number;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;
}
