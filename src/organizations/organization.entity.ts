import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The organization that exists from the start; the CLI uses it where none is named. */
export const DEFAULT_ORGANIZATION_ID = '00000000-0000-7000-8000-000000000001';

/** The tenant: owns projects and API keys. */
@Entity('organizations')
export class Organization {
  /** UUIDv7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  /** Display name, 1 to 200 code points. */
  @Column('text')
  name!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
