import { Check, Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Monitor } from '../../monitors/monitor.entity.js';
import { DeletedWithProject } from '../../projects/project-owned.entity.js';
import type { AffectedMonitor, IncidentStatus } from '../incident-status.js';

/** Proposed values of a new incident and its first update. No status page shows it. Deleted when it is published. */
@Entity('incident_drafts')
@Index('incident_drafts_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('incident_drafts_monitors_idx', { synchronize: false }) // finds the drafts with a monitor; TypeORM does not support GIN
@Index('incident_drafts_monitor_idx', ['organization_id', 'monitor_id'], {
  unique: true,
  where: 'monitor_id IS NOT NULL',
})
@Check('incident_drafts_title_check', 'char_length(title) BETWEEN 1 AND 200')
@Check('incident_drafts_body_check', 'char_length(body) BETWEEN 1 AND 10000')
@Check('incident_drafts_status_check', `status IN ('investigating', 'identified', 'monitoring', 'resolved')`)
export class IncidentDraft extends DeletedWithProject {
  /** Monitor whose recovery discards the draft. It has at most one draft. Null: only a request discards it. */
  @Column('uuid', { nullable: true })
  monitor_id!: string | null;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;

  /** 1 to 200 code points. */
  @Column('text')
  title!: string;

  /** Markdown, 1 to 10,000 code points; null: the standard text of the status. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('text', { default: 'investigating' })
  status!: IncidentStatus;

  /** Up to 100 monitors of the project. */
  @Column('jsonb', { default: [] })
  monitors!: AffectedMonitor[];

  /** Whether it has affected monitors, even if they were deleted. */
  @Column('boolean', { default: false })
  affects_monitors!: boolean;
}
