import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Monitor } from '../../monitors/monitor.entity.js';

/** Lengths of the periods of histograms. An hour is kept for 32 days, a day for 400 days. */
export const RESOLUTIONS = ['hour', 'day'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

/** Histogram of the response times of a monitor in an hour or a day, in UTC. */
@Entity('response_times')
@Index('response_times_old_idx', ['resolution', 'started_at'])
@Check('response_times_resolution_check', `resolution IN ('hour', 'day')`)
export class ResponseTime {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  monitor_id!: string;

  @PrimaryColumn('varchar', { length: 4 })
  resolution!: Resolution;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  /** Number of reports in each bin, up to the last bin that has one. See `response-bins.ts`. */
  @Column('integer', { array: true })
  counts!: number[];

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;
}
