import { Check, Column, Entity, Index } from 'typeorm';
import type { AffectedMonitor, IncidentStatus } from '../incident-status.js';
import { DeletedWithProject } from '../../projects/project-owned.entity.js';

/** Prepared values of a new incident and its first update. */
@Entity('incident_templates')
@Index('incident_templates_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('incident_templates_own_idx', ['organization_id', 'project_id', 'id'], { unique: true }) // for a foreign key
@Index('incident_templates_monitors_idx', { synchronize: false }) // finds the templates with a monitor; TypeORM does not support GIN
@Check('incident_templates_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('incident_templates_title_check', 'char_length(title) BETWEEN 1 AND 200')
@Check('incident_templates_body_check', 'char_length(body) BETWEEN 1 AND 10000')
@Check(
  'incident_templates_status_check',
  `status IN ('investigating', 'identified', 'monitoring', 'resolved')`,
)
export class IncidentTemplate extends DeletedWithProject {
  /** 1 to 200 code points. */
  @Column('text')
  name!: string;

  /** 1 to 200 code points. */
  @Column('text')
  title!: string;

  /** Markdown, 1 to 10,000 code points; null: no text. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('text', { default: 'investigating' })
  status!: IncidentStatus;

  /** Up to 100 monitors of the project. */
  @Column('jsonb', { default: [] })
  monitors!: AffectedMonitor[];

  /** Whether a client has set monitors. Remains true if they are deleted. */
  @Column('boolean', { default: false })
  affects_monitors!: boolean;
}
