import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** The first response to a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at_idx', ['created_at'])
export class IdempotencyKey {
  @PrimaryColumn('uuid')
  organization_id!: string;

  /** Each API key has keys of its own. */
  @PrimaryColumn('uuid')
  api_key_id!: string;

  /** 1 to 255 printable ASCII characters. */
  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of method, path, query and body. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column('smallint')
  status!: number;

  @Column('json')
  headers!: Record<string, string>;

  /** The body as it was sent, without the secrets that the server does not store. */
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
