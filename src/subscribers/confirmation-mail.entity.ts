import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A confirmation that was sent to an address, or a link to a private page that a form has requested for it, as a keyed hash. Counted to
 * limit them, and deleted after a day.
 */
@Entity('confirmation_mails')
@Index('confirmation_mails_email_hash_idx', ['email_hash', 'created_at'])
export class ConfirmationMail {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('bytea')
  email_hash!: Buffer;

  /** Whether it is a link to a private page. */
  @Column('boolean', { default: false })
  is_link!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
