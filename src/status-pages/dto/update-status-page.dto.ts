import { ApiSchema } from '@nestjs/swagger';
import type { SectionDto } from './section.dto.js';
import { AccentColor, IsPublic, Name, Sections } from './status-page.fields.js';

/** What `PATCH /v1/status-pages/{id}` takes (spec, section 4.2): only what is sent changes. */
@ApiSchema({ name: 'StatusPageUpdate' })
export class UpdateStatusPageDto {
  @Name({ optional: true })
  name?: string;

  @IsPublic()
  is_public?: boolean;

  @AccentColor()
  accent_color?: string;

  @Sections()
  sections?: SectionDto[];
}
