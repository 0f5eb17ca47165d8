import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** Keyed hash of an address that has been unsubscribed from a status page, so that an import does not add it again. */
@Entity('erased_subscribers')
@Index('erased_subscribers_project_idx', ['organization_id', 'project_id'])
export class ErasedSubscriber {
  @PrimaryColumn('uuid')
  status_page_id!: string;

  @PrimaryColumn('bytea')
  email_hash!: Buffer;

  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  project_id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'project_id', referencedColumnName: 'id' },
  ])
  project?: Relation<Project>;
}
