import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { RESERVED_SLUGS } from '../slug.js';
import { CustomDomain } from './custom-domain.js';
import { Slug } from './slug-field.js';
import { StatusPageDto } from './status-page.dto.js';

const BY_UPDATE = 'is changed by PATCH /v1/status-pages/{id}';

/** What `PATCH /v1/status-pages/{id}/settings` takes: the fields that the page's own PATCH does not. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  name: BY_UPDATE,
  is_public: BY_UPDATE,
  accent_color: BY_UPDATE,
  sections: BY_UPDATE,
})
@ApiSchema({ name: 'StatusPageSettingsUpdate' })
export class UpdateStatusPageSettingsDto extends PartialType(
  PickType(StatusPageDto, [
    'description',
    'show_powered_by',
    'show_history',
    'history_days',
    'rss_enabled',
    'subscribe_enabled',
  ]),
) {
  // Without examples: the body of "Try it out" would conflict when it is sent a second time.
  @Slug({
    optional: true,
    description: `Short name of the page, unique in the installation, not a reserved word: ${[...RESERVED_SLUGS].join(', ')}.`,
  })
  slug?: string;

  @CustomDomain({
    optional: true,
    description: 'Custom host name of the page, unique in the installation; null for none.',
  })
  custom_domain?: string | null;
}
