import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { READ_ONLY, Refuses } from '../../platform/validation/refused-fields.js';
import { BrandingDto } from './branding.dto.js';

const uploaded = (name: string) =>
  `can only be changed with PUT or DELETE /v1/status-pages/{id}/branding/${name}`;

/** Request body of `PATCH /v1/status-pages/{id}/branding`. Omitted fields keep their values. */
@Refuses({
  logo: uploaded('logo'),
  logo_dark: uploaded('logo-dark'),
  favicon: uploaded('favicon'),
  status_page_id: READ_ONLY,
  project_id: READ_ONLY,
  updated_at: READ_ONLY,
})
@ApiSchema({ name: 'BrandingUpdate' })
export class UpdateBrandingDto extends PartialType(
  PickType(BrandingDto, [
    'language',
    'time_zone',
    'website_url',
    'support_url',
    'links',
    'theme',
    'show_response_times',
  ]),
) {}
