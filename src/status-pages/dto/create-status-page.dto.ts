import { ApiSchema } from '@nestjs/swagger';
import { Uuid } from '../../http/fields.js';
import type { SectionDto } from './section.dto.js';
import {
  AccentColor,
  CustomDomain,
  Description,
  HistoryDays,
  IsPublic,
  Name,
  RssEnabled,
  Sections,
  ShowHistory,
  ShowPoweredBy,
  Slug,
  SubscribeEnabled,
} from './status-page.fields.js';

/** What `POST /v1/status-pages` takes. What is left out gets its default, `slug` one derived from the name. */
@ApiSchema({ name: 'StatusPageCreate' })
export class CreateStatusPageDto {
  @Uuid({ description: 'Project that is to own the page.', example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01' })
  project_id!: string;

  @Name()
  name!: string;

  @Slug()
  slug?: string;

  @IsPublic()
  is_public?: boolean;

  @Description()
  description?: string;

  @AccentColor()
  accent_color?: string;

  @ShowPoweredBy()
  show_powered_by?: boolean;

  @ShowHistory()
  show_history?: boolean;

  @HistoryDays()
  history_days?: number;

  @RssEnabled()
  rss_enabled?: boolean;

  @SubscribeEnabled()
  subscribe_enabled?: boolean;

  @CustomDomain()
  custom_domain?: string | null;

  @Sections()
  sections?: SectionDto[];
}
