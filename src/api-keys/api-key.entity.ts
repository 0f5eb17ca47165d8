import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';
import type { Scope } from '../auth/scopes.js';

/** A credential of one organization. The key itself is not stored, only its SHA-256. */
@Entity('api_keys')
@Unique('api_keys_key_hash_key', ['key_hash'])
@Index('api_keys_list_idx', ['organization_id', 'created_at', 'id'])
@Index('api_keys_projects_list_idx', { synchronize: false }) // by the first project; TypeORM knows no expressions
export class ApiKey {
  /** UUIDv7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organization_id!: string;

  /** Display name, 1 to 200 code points. */
  @Column('text')
  name!: string;

  /** The first 8 characters of the key, to tell it by. */
  @Column('text')
  prefix!: string;

  /** SHA-256 of the key, 32 bytes. */
  @Column('bytea')
  key_hash!: Buffer;

  @Column('text', { array: true })
  scopes!: Scope[];

  /** The projects the key is narrowed to; null: all of its organization. */
  @Column('uuid', { array: true, nullable: true })
  project_ids!: string[] | null;

  /** When the key ceases to hold; null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: Date | null;

  /** From when on the key is revoked; null: it is not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revoked_at!: Date | null;

  /** When the key was last used, to about a second; null: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_used_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @ManyToOne(() => Organization)
  @JoinColumn({ name: 'organization_id' })
  organization?: Relation<Organization>;
}
