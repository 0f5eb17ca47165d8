import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of the instance: 32 random bytes. The one with the highest number is in use; the others are retired. */
@Entity('secrets')
@Check('secrets_number_check', 'number >= 1')
@Check('secrets_key_check', 'octet_length(key) = 32')
export class Secret {
  @PrimaryColumn('integer')
  number!: number;

  @Column('bytea')
  key!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** When `SECRET_KEY` replaced the key. Null if it has not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  retired_at!: Date | null;
}
