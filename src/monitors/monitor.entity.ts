import { Check, Column, Entity, Index, JoinColumn, ManyToOne, type Relation, Unique } from 'typeorm';
import { ProjectOwned } from '../projects/project-owned.entity.js';

/** A component whose status is shown on status pages. Belongs to one project. */
@Entity('monitors')
@Unique('monitors_organization_id_id_key', ['organization_id', 'id'])
@Index('monitors_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('monitors_key_idx', ['organization_id', 'project_id', 'key'], {
  unique: true,
  where: 'key IS NOT NULL',
})
@Index('monitors_draft_template_idx', ['organization_id', 'project_id', 'draft_template_id'], {
  where: 'draft_template_id IS NOT NULL',
})
@Check('monitors_key_check', `key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(key) <= 63`)
@Check('monitors_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('monitors_description_check', 'char_length(description) <= 2000')
export class Monitor extends ProjectOwned {
  /** Display name, 1 to 200 code points, not unique. */
  @Column('text')
  name!: string;

  /** Short name for probes and alerts: a slug, unique in the project; null: none. */
  @Column('text', { nullable: true })
  key!: string | null;

  /** Up to 2,000 code points. */
  @Column('text', { default: '' })
  description!: string;

  /** Seconds after the last report until the reported status becomes unknown, 60 to 604,800; null: never. */
  @Column('integer', { nullable: true })
  stale_after_seconds!: number | null;

  /** Incident template of the project from which a draft is made when the status becomes worse than operational; null: none. */
  @Column('uuid', { nullable: true })
  draft_template_id!: string | null;

  /** By its name, because incidents depend on monitors. */
  @ManyToOne('IncidentTemplate')
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'project_id', referencedColumnName: 'project_id' },
    { name: 'draft_template_id', referencedColumnName: 'id' },
  ])
  draft_template?: Relation<object>;
}
