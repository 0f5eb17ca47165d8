import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { MonitorState } from '../reports/monitor-state.entity.js';
import { Incident } from './incident.entity.js';

/** An interval in which an incident sets one status for a monitor. Computed from the updates of the incident. */
@Entity('incident_impacts')
@Index('incident_impacts_monitor_idx', ['organization_id', 'monitor_id', 'started_at'])
export class IncidentImpact {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  incident_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  @Column('enum', { enum: [...REPORTED_STATUSES], enumName: 'monitor_status' })
  status!: ReportedStatus;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  /** null: until now. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  ended_at!: Date | null;

  @ManyToOne(() => Incident, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'incident_id', referencedColumnName: 'id' },
  ])
  incident?: Relation<Incident>;

  @ManyToOne(() => MonitorState, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'monitor_id' },
  ])
  monitor?: Relation<MonitorState>;
}
