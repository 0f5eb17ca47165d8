import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { MonitorState } from './monitor-state.entity.js';

/** An earlier run of a monitor: consecutive reports with the same status. {@link MonitorState} contains the current run. */
@Entity('monitor_runs')
export class MonitorRun {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  /** First report of the run. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  /** Last report of the run. Its status holds until the next run, or until it is stale. */
  @Column({ type: 'timestamptz', precision: 3 })
  last_observed_at!: Date;

  @Column('enum', { enum: [...REPORTED_STATUSES], enumName: 'monitor_status' })
  status!: ReportedStatus;

  // Does not reference monitors, because the writer holds the lock of this row, but no lock of the monitor.
  @ManyToOne(() => MonitorState, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'monitor_id' },
  ])
  state?: Relation<MonitorState>;
}
