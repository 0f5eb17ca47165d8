import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { Organization } from '../organizations/organization.entity.js';

/** Belongs to one organization; owns monitors and status pages. */
@Entity('projects')
@Unique('projects_organization_id_id_key', ['organization_id', 'id'])
@Index('projects_list_idx', ['organization_id', 'created_at', 'id'])
export class Project {
  /** UUIDv7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organization_id!: string;

  /** Display name, 1 to 200 code points. */
  @Column('text')
  name!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;

  @ManyToOne(() => Organization)
  @JoinColumn({ name: 'organization_id' })
  organization?: Relation<Organization>;
}
