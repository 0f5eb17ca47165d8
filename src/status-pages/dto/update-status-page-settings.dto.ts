import { ApiSchema } from '@nestjs/swagger';
import {
  CustomDomain,
  Description,
  HistoryDays,
  RssEnabled,
  ShowHistory,
  ShowPoweredBy,
  Slug,
  SubscribeEnabled,
} from './status-page.fields.js';

/** What `PATCH /v1/status-pages/{id}/settings` takes: the fields that the page's own PATCH does not. */
@ApiSchema({ name: 'StatusPageSettingsUpdate' })
export class UpdateStatusPageSettingsDto {
  @Slug()
  slug?: string;

  @Description()
  description?: string;

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
}
