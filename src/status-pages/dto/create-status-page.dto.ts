import { ApiSchema } from '@nestjs/swagger';
import { Uuid } from '../../http/fields.js';
import type { SectionDto } from './section.dto.js';
import { AccentColor, IsPublic, Name, Sections } from './status-page.fields.js';
import { UpdateStatusPageSettingsDto } from './update-status-page-settings.dto.js';

/** What `POST /v1/status-pages` takes. What is left out gets its default, `slug` one derived from the name. */
@ApiSchema({ name: 'StatusPageCreate' })
export class CreateStatusPageDto extends UpdateStatusPageSettingsDto {
  @Uuid({ description: 'Project that is to own the page.', example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01' })
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
