import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { DeletedWithProject } from '../projects/project-owned.entity.js';
import type { AffectedMonitor, Impact, IncidentStatus } from './incident-status.js';

/**
 * A problem and its updates. `status`, `impact`, `monitors`, `affects_monitors` and `resolved_at` are derived from the updates, and
 * stored when an update is written. The DTOs define the limits of each field.
 */
@Entity('incidents')
@Unique('incidents_organization_id_id_key', ['organization_id', 'id'])
@Check('incidents_status_check', `status IN ('investigating', 'identified', 'monitoring', 'resolved')`)
@Check('incidents_impact_check', `impact IN ('none', 'minor', 'major', 'critical')`)
@Check('incidents_set_impact_check', `set_impact IN ('none', 'minor', 'major', 'critical')`)
@Index('incidents_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('incidents_open_idx', ['organization_id', 'project_id', 'created_at', 'id'], {
  where: 'resolved_at IS NULL',
})
@Index('incidents_resolved_idx', ['organization_id', 'project_id', 'created_at', 'id'], {
  where: 'resolved_at IS NOT NULL',
})
@Index('incidents_on_all_pages_idx', ['organization_id', 'project_id', 'created_at', 'id'], {
  where: 'NOT affects_monitors AND status_page_ids IS NULL',
})
@Index('incidents_former_page_ids_idx', { synchronize: false })
@Index('incidents_status_page_ids_idx', { synchronize: false }) // finds the incidents of a page; TypeORM does not support GIN
@Check('incidents_title_check', 'char_length(title) BETWEEN 1 AND 200')
@Check('incidents_postmortem_check', 'char_length(postmortem) BETWEEN 1 AND 50000')
export class Incident extends DeletedWithProject {
  @Column('text')
  title!: string;

  @Column('text')
  status!: IncidentStatus;

  /** `set_impact`, or the impact of the worst status that an update has set for a monitor. */
  @Column('text')
  impact!: Impact;

  /** Impact that a client has set; null: derived. */
  @Column('text', { nullable: true })
  set_impact!: Impact | null;

  /** Currently affected monitors. Empty while the incident is resolved. */
  @Column('jsonb')
  monitors!: AffectedMonitor[];

  @Column({ type: 'timestamptz', precision: 3 })
  started_at!: Date;

  /** Last transition to `resolved`; null while the incident is open. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  resolved_at!: Date | null;

  /** Whether an update has set a status for a monitor. Stays true if the monitor is deleted. */
  @Column('boolean', { default: true })
  affects_monitors!: boolean;

  /** Pages that show the incident; null: every page that shows an affected monitor, or all if it affects no monitor. */
  @Column('uuid', { array: true, nullable: true })
  status_page_ids!: string[] | null;

  /** Pages that showed an affected monitor which was deleted while the incident was open. They continue to show the incident. */
  @Column('uuid', { array: true, default: [] })
  former_page_ids!: string[];

  @Column('text', { nullable: true })
  postmortem!: string | null;

  /**
   * Whether subscribers and webhooks know of it, and so get its further events by default; null: an older version created it, see
   * `isNotifiedOf`.
   */
  @Column('boolean', { nullable: true })
  is_notified!: boolean | null;
}
