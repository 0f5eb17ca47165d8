import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StatusPage } from '../status-page.entity.js';

/** A link that shows a public or private page for a day. The link itself is not stored. */
@Entity('preview_links')
@Index('preview_links_status_page_idx', ['organization_id', 'status_page_id', 'created_at'])
export class PreviewLink {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  status_page_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  status_page?: Relation<StatusPage>;
}
