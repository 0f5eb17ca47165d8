import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';

/**
 * The response times of the reports of one request, until a task counts them. One row for a request, because an update of a
 * histogram for each report would take longer than the reports.
 */
@Entity('response_samples')
export class ResponseSample {
  @PrimaryColumn('uuid')
  organization_id!: string;

  /** UUID version 7, so that the rows of an organization are in the order of their creation. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** Monitors of the samples, of which some may have been deleted since. */
  @Column('uuid', { array: true })
  monitor_ids!: string[];

  /** Hours of the samples since 1970-01-01T00:00:00Z. */
  @Column('integer', { array: true })
  hours!: number[];

  /** See `response-bins.ts`. */
  @Column('smallint', { array: true })
  bins!: number[];

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization?: Relation<Organization>;
}
