import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from '../deleted-with-page.entity.js';

/** A link that shows a public or private page for a day. The link itself is not stored. */
@Entity('preview_links')
@Index('preview_links_status_page_idx', ['organization_id', 'status_page_id', 'created_at'])
export class PreviewLink extends DeletedWithPage {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column('uuid')
  status_page_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
