import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { MonitorState } from '../../reports/monitor-state.entity.js';

/**
 * The seconds of a monitor in each status on a closed day in UTC. This is a cache, whose rows can be deleted at any time. A row
 * is valid if its day is before `closed_before` of the monitor's state, and if its `rules_version` is current.
 */
@Entity('monitor_days')
export class MonitorDay {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  @PrimaryColumn('date')
  day!: string;

  @Column('integer')
  operational!: number;

  @Column('integer')
  degraded_performance!: number;

  @Column('integer')
  partial_outage!: number;

  @Column('integer')
  major_outage!: number;

  @Column('integer')
  under_maintenance!: number;

  @Column('integer')
  unknown!: number;

  /** Version of the rules that computed the row: 1 by default, because older versions of the service do not write it. */
  @Column('smallint', { default: 1 })
  rules_version!: number;

  @ManyToOne(() => MonitorState, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'monitor_id' },
  ])
  state?: Relation<MonitorState>;
}
