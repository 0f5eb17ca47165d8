import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { DeletedWithProject } from '../projects/project-owned.entity.js';
import type { Closing } from './maintenance-status.js';

/**
 * A time window in which monitors are expected to fail. It lasts from `starts_at` until before the earlier of `ends_at` and
 * `closed_at`. If that is not after `starts_at`, the window is empty.
 */
@Entity('maintenances')
@Unique('maintenances_organization_id_id_key', ['organization_id', 'id'])
@Index('maintenances_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('maintenances_ends_at_idx', ['organization_id', 'project_id', 'ends_at']) // finds windows that have not ended
// Find the maintenance windows of monitors and of pages; TypeORM does not support GIN.
@Index('maintenances_monitor_ids_idx', { synchronize: false })
@Index('maintenances_status_page_ids_idx', { synchronize: false })
@Check('maintenances_ends_at_check', `ends_at > starts_at AND ends_at <= starts_at + interval '720 hours'`)
@Check('maintenances_closed_as_check', `closed_as IN ('completed', 'cancelled')`)
@Check('maintenances_closed_at_check', `(closed_as IS NULL) = (closed_at IS NULL)`)
@Check('maintenances_title_check', 'char_length(title) BETWEEN 1 AND 200')
@Check('maintenances_body_check', 'char_length(body) <= 10000')
export class Maintenance extends DeletedWithProject {
  /** 1 to 200 code points. */
  @Column('text')
  title!: string;

  /** Markdown, up to 10,000 code points. */
  @Column('text', { default: '' })
  body!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  starts_at!: Date;

  /** After `starts_at`, at most 30 days later. */
  @Column({ type: 'timestamptz', precision: 3 })
  ends_at!: Date;

  /** Up to 100 monitors of the project. */
  @Column('uuid', { array: true })
  monitor_ids!: string[];

  /** Up to 100 pages of the project; null: every page that shows one of the monitors. Without monitors, every page. */
  @Column('uuid', { array: true, nullable: true })
  status_page_ids!: string[] | null;

  /** Pages that showed a monitor which was deleted before the end. They continue to show the window. */
  @Column('uuid', { array: true, default: [] })
  former_page_ids!: string[];

  /** Set by an update; null: the status follows from the clock. */
  @Column('text', { nullable: true })
  closed_as!: Closing | null;

  /** Time of closing. Set if and only if `closed_as` is set. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closed_at!: Date | null;

  /**
   * Whether subscribers and webhooks know of it, and so get its further events by default; null: an older version created it, see
   * `isNotifiedOf`.
   */
  @Column('boolean', { nullable: true })
  is_notified!: boolean | null;
}
