import { Column, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Project } from './project.entity.js';

/**
 * A row that a project owns. The foreign key goes through the organization as well, so that no row can stand in another
 * tenant's project: `FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`, named
 * `<table>_project_fkey`.
 */
export abstract class ProjectOwned {
  /** UUIDv7, made by the application. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  project_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  /** The version of the row (ETag): grows with every change by at least a millisecond. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;

  @ManyToOne(() => Project)
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'project_id', referencedColumnName: 'id' },
  ])
  project?: Relation<Project>;
}
