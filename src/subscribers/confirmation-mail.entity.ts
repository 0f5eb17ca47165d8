import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A confirmation that was sent to an address, as a keyed hash. Counted to limit them per day, and deleted after a day. */
@Entity('confirmation_mails')
@Index('confirmation_mails_email_hash_idx', ['email_hash', 'created_at'])
export class ConfirmationMail {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('bytea')
  email_hash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
