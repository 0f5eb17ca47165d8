import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StatusPage } from './status-page.entity.js';

/** A slug that a page had before. Triggers on `status_pages` insert and delete the rows, see the migration. */
@Entity('former_slugs')
@Index('former_slugs_status_page_idx', ['organization_id', 'status_page_id', 'created_at'])
export class FormerSlug {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('text')
  slug!: string;

  @Column('uuid')
  status_page_id!: string;

  /** Time at which the page got another slug. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  status_page?: Relation<StatusPage>;
}
