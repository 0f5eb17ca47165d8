import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A deleted page, which can be restored for 30 days. A table of its own frees the slug and the domain, and keeps deleted pages
 * out of all other queries. It has no foreign key, so a row outlives its project until the cleanup deletes it.
 */
@Entity('deleted_status_pages')
@Index('deleted_status_pages_list_idx', ['organization_id', 'project_id', 'deleted_at', 'id'])
export class DeletedStatusPage {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  project_id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  /** Number of the revision that deleted the page. */
  @Column('integer')
  revision!: number;

  /** Page as it appeared in responses. */
  @Column('jsonb')
  page!: object;

  /** IDs of the resources that referenced the page, and contents of rows that were deleted with it, by kind. */
  @Column('jsonb')
  named_by!: Record<string, string[]>;

  @Column({ type: 'timestamptz', precision: 3 })
  deleted_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  restorable_until!: Date;
}
