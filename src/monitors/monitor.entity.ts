import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** Something whose state a status page shows. Belongs to one project. */
@Entity('monitors')
@Index('monitors_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
export class Monitor {
  /** UUIDv7, made by the application. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'monitors_pkey' })
  id!: string;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  project_id!: string;

  /** Display name, 1 to 200 code points; several monitors may share one. */
  @Column('text')
  name!: string;

  /** Up to 2,000 code points. */
  @Column('text', { default: '' })
  description!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;

  // Through the organization as well, so that a monitor cannot stand in another tenant's project.
  @ManyToOne(() => Project)
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organization_id',
      foreignKeyConstraintName: 'monitors_project_fkey',
    },
    { name: 'project_id', referencedColumnName: 'id', foreignKeyConstraintName: 'monitors_project_fkey' },
  ])
  project?: Relation<Project>;
}
