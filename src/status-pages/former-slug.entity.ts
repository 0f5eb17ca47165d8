import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from './deleted-with-page.entity.js';

/** A slug that a page had before. Triggers on `status_pages` insert and delete the rows, see the migration. */
@Entity('former_slugs')
@Index('former_slugs_status_page_idx', ['organization_id', 'status_page_id', 'created_at'])
export class FormerSlug extends DeletedWithPage {
  @PrimaryColumn('text')
  slug!: string;

  @Column('uuid')
  status_page_id!: string;

  /** Time at which the page got another slug. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
