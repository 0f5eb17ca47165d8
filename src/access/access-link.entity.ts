import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { DeletedWithPage } from '../status-pages/deleted-with-page.entity.js';

/** A link with a token that shows a private page to feed readers and programs. The token itself is not stored. */
@Entity('access_links')
@Unique('access_links_token_hash_key', ['token_hash'])
@Index('access_links_status_page_idx', ['organization_id', 'status_page_id', 'created_at', 'id'])
@Check('access_links_description_check', 'char_length(description) BETWEEN 1 AND 200')
export class AccessLink extends DeletedWithPage {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  status_page_id!: string;

  @Column('text')
  description!: string;

  /** SHA-256 of the token. */
  @Column('bytea')
  token_hash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** Last use, accurate to an hour; null: never used. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_used_at!: Date | null;
}
