import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** First response to a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at_idx', ['created_at'])
@Index('idempotency_keys_bodies_idx', ['organization_id', 'created_at'], { where: `body <> ''` })
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  organization_id!: string;

  /** First API key in the chain of rotations, or a member. A key and its successors share their idempotency keys. */
  @PrimaryColumn('uuid')
  api_key_id!: string;

  /** 1 to 255 printable ASCII characters. */
  @PrimaryColumn('text')
  key!: string;

  /**
   * SHA-256 of method, path, query, `If-Match` and body. If the API key is restricted, followed by the SHA-256 of its projects.
   */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('smallint')
  status!: number;

  @Column('json')
  headers!: Record<string, string>;

  /** Body as sent, without the secrets that the server does not store. Empty if it was not stored, see `ResponseRoom`. */
  @Column('text')
  body!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  // By name, because `organizations/` is above this directory.
  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization?: object;
}
