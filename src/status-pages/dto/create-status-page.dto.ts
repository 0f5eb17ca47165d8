import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Uuid } from '../../validation/fields.js';
import type { SectionDto } from './section.dto.js';
import { AccentColor, IsPublic, Name, Sections } from './status-page.fields.js';
import { UpdateStatusPageSettingsDto } from './update-status-page-settings.dto.js';

/** What `POST /v1/status-pages` takes. What is left out gets its default, `slug` one derived from the name. */
@ApiSchema({ name: 'StatusPageCreate' })
export class CreateStatusPageDto extends UpdateStatusPageSettingsDto {
  @Uuid({ description: 'Project that is to own the page.', example: EXAMPLE_IDS.project })
  project_id!: string;

  @Name()
  name!: string;

  @IsPublic()
  is_public?: boolean;

  @AccentColor()
  accent_color?: string;

  @Sections()
  sections?: SectionDto[];
}
