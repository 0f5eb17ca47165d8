import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A deleted page, which can be restored for a while. It is not in `status_pages`, so that its slug and domain are free, and no
 * other statement must leave it out. It has no foreign key: it outlives its project until the cleanup finds it.
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

  /** The number of the revision that deleted it. */
  @Column('integer')
  revision!: number;

  /** The page as responses showed it. */
  @Column('jsonb')
  page!: object;

  /** The ids of the resources that named the page, by kind. */
  @Column('jsonb')
  named_by!: Record<string, string[]>;

  @Column({ type: 'timestamptz', precision: 3 })
  deleted_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  restorable_until!: Date;
}
