import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from '../../status-pages/deleted-with-page.entity.js';

/** A link that was sent by mail, and shows a private page once. The token itself is not stored. */
@Entity('access_email_tokens')
@Index('access_email_tokens_status_page_idx', ['organization_id', 'status_page_id'])
@Index('access_email_tokens_expires_at_idx', ['expires_at'])
@Check('access_email_tokens_email_check', 'char_length(email) BETWEEN 3 AND 320')
export class AccessEmailToken extends DeletedWithPage {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column('uuid')
  status_page_id!: string;

  @Column('text')
  email!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
