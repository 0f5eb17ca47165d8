import { Column, Entity, Index } from 'typeorm';
import { ProjectOwned } from '../projects/project-owned.entity.js';

/** A component whose state status pages show. Belongs to one project. */
@Entity('monitors')
@Index('monitors_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
export class Monitor extends ProjectOwned {
  /** Display name, 1 to 200 code points, not unique. */
  @Column('text')
  name!: string;

  /** Up to 2,000 code points. */
  @Column('text', { default: '' })
  description!: string;
}
