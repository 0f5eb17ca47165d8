import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from '../status-pages/deleted-with-page.entity.js';
import type { BrandingLink, Theme } from './branding-values.js';
import type { Language } from './languages.js';

/** Language, time zone, links and theme of a page. A page without a row has the defaults. */
@Entity('status_page_branding')
@Check(
  'status_page_branding_language_check',
  `language IN ('en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh')`,
)
@Check('status_page_branding_time_zone_check', 'char_length(time_zone) BETWEEN 1 AND 64')
@Check('status_page_branding_website_url_check', 'char_length(website_url) BETWEEN 1 AND 2000')
@Check('status_page_branding_support_url_check', 'char_length(support_url) BETWEEN 1 AND 2000')
@Check('status_page_branding_theme_check', `theme IN ('auto', 'light', 'dark')`)
export class StatusPageBranding extends DeletedWithPage {
  @PrimaryColumn('uuid')
  status_page_id!: string;

  @Column('text', { default: 'en' })
  language!: Language;

  /** Name in the IANA database. */
  @Column('text', { default: 'UTC' })
  time_zone!: string;

  @Column('text', { nullable: true })
  website_url!: string | null;

  @Column('text', { nullable: true })
  support_url!: string | null;

  @Column('jsonb', { default: [] })
  links!: BrandingLink[];

  @Column('text', { default: 'auto' })
  theme!: Theme;

  /** Whether the pages of monitors contain their response times. */
  @Column('boolean', { default: false })
  show_response_times!: boolean;

  /** Version of the branding and its pictures (ETag). Each change increases it by at least a millisecond. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}
