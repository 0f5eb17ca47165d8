import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { ProjectOwned } from '../projects/project-owned.entity.js';

/** A group of monitors on a page (spec, section 2, "Section object"). */
export interface Section {
  id: string;
  title: string;
  monitor_ids: string[];
}

/** A public or private page of a project (spec, section 2, "Status page"). The DTOs define the limits of each field. */
@Entity('status_pages')
@Unique('status_pages_slug_key', ['slug'])
@Unique('status_pages_organization_id_id_key', ['organization_id', 'id'])
@Index('status_pages_custom_domain_idx', ['organization_id', 'custom_domain'], {
  unique: true,
  where: 'custom_domain IS NOT NULL',
})
@Index('status_pages_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Index('status_pages_sections_idx', { synchronize: false }) // finds the pages with a monitor; TypeORM does not support GIN
@Check('status_pages_name_check', 'char_length(name) BETWEEN 1 AND 200')
@Check('status_pages_slug_check', `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 63`)
@Check('status_pages_description_check', 'char_length(description) <= 2000')
@Check('status_pages_accent_color_check', `accent_color ~ '^#[0-9a-fA-F]{6}$'`)
export class StatusPage extends ProjectOwned {
  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  @Column('boolean', { default: true })
  is_public!: boolean;

  @Column('text', { default: '' })
  description!: string;

  @Column('text', { default: '#2563eb' })
  accent_color!: string;

  @Column('boolean', { default: true })
  show_powered_by!: boolean;

  @Column('boolean', { default: true })
  show_history!: boolean;

  @Column('integer', { default: 90 })
  history_days!: number;

  @Column('boolean', { default: true })
  rss_enabled!: boolean;

  @Column('boolean', { default: false })
  subscribe_enabled!: boolean;

  @Column('text', { nullable: true })
  custom_domain!: string | null;

  // One column, because sections are read and replaced as a whole. jsonb sorts keys by length, which is the order of the spec:
  // id, title, monitor_ids.
  @Column('jsonb', { default: [] })
  sections!: Section[];

  /** Number of the last revision. 0 if the page is older than revisions. */
  @Column('integer', { default: 0 })
  revision!: number;
}
