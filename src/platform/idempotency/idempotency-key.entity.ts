import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** The first response to a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at_idx', ['created_at'])
@Index('idempotency_keys_bodies_idx', ['organization_id', 'created_at'], { where: `body <> ''` })
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  organization_id!: string;

  /** The first API key of its rotations: a key and its successors share their keys. */
  @PrimaryColumn('uuid')
  api_key_id!: string;

  /** 1 to 255 printable ASCII characters. */
  @PrimaryColumn('text')
  key!: string;

  /**
   * SHA-256 of method, path, query, `If-Match` and body, followed by that of the projects that the API key is restricted to, if
   * it is.
   */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('smallint')
  status!: number;

  @Column('json')
  headers!: Record<string, string>;

  /** The body as it was sent, without the secrets that the server does not store; empty: it was not kept, see `ResponseRoom`. */
  @Column('text')
  body!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  // By name: the controllers of `api-keys/` import this folder.
  @ManyToOne('ApiKey', { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'api_key_id', referencedColumnName: 'id' },
  ])
  api_key?: object;
}
