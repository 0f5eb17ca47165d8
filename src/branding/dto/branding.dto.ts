import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { ResponseId, UpdatedAt } from '../../platform/openapi/response-fields.js';
import { Choice, Flag, ListOf, Text } from '../../platform/validation/fields.js';
import { PLACEMENTS, type Placement, THEMES, type Theme } from '../branding-values.js';
import { EXTENSIONS } from '../images/image-values.js';
import { type Language, LANGUAGES } from '../languages.js';
import { TimeZone } from './time-zone.js';
import { ContactUrl, MAX_URL_LENGTH, WebUrl } from './urls.js';

/** Maximum number of links of a page. */
export const MAX_LINKS = 6;

/** A link of a branding. */
@ApiSchema({ name: 'BrandingLink' })
export class BrandingLinkDto {
  @Text({ min: 1, max: 40, description: 'Text of the link.', example: 'Documentation' })
  label!: string;

  @WebUrl({ description: 'Target of the link.', example: 'https://docs.acme.example' })
  url!: string;

  @Choice({
    of: PLACEMENTS,
    optional: true,
    default: 'footer',
    description: 'Place of the link on the public page. Responses always contain it.',
    example: 'header',
  })
  placement?: Placement;
}

/** A picture in a response. */
@ApiSchema({ name: 'BrandingImage' })
export class BrandingImageDto {
  @ApiProperty({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description:
      'Public URL, which changes with the content. Of a private status page, it needs a preview token.',
    example: 'https://status.example.com/status/acme-cloud/logo-3fa9c1d2e4b5a687.png',
  })
  url!: string;

  @ApiProperty({
    enum: Object.keys(EXTENSIONS),
    description: 'Media type, recognized by the content.',
    example: 'image/png',
  })
  content_type!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 4_096,
    description: 'Width in pixels.',
    example: 320,
  })
  width!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 4_096,
    description: 'Height in pixels.',
    example: 80,
  })
  height!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 524_288,
    description: 'Number of bytes.',
    example: 5_120,
  })
  size!: number;
}

const Image = (description: string) =>
  ApiProperty({ type: () => BrandingImageDto, nullable: true, description });

/** The branding of a status page in a response. */
@ApiSchema({ name: 'Branding' })
export class BrandingDto {
  @Choice({ of: LANGUAGES, description: 'Language of the public page. Default: `en`.', example: 'en' })
  language!: Language;

  @TimeZone({
    description:
      'Time zone of the times on the public page, by its name in the IANA database. Default: `UTC`.',
    example: 'Europe/Berlin',
  })
  time_zone!: string;

  @WebUrl({
    nullable: true,
    description: 'Website of the company; null: none.',
    example: 'https://acme.example',
  })
  website_url!: string | null;

  @ContactUrl({
    nullable: true,
    description: 'Page or email address (`mailto:`) for support; null: none.',
    example: 'mailto:support@acme.example',
  })
  support_url!: string | null;

  @ListOf(BrandingLinkDto, {
    max: MAX_LINKS,
    description:
      'Links in the header and the footer, in display order. A PATCH with this field replaces all links.',
    example: [{ label: 'Documentation', url: 'https://docs.acme.example', placement: 'header' }],
  })
  links!: BrandingLinkDto[];

  @Choice({
    of: THEMES,
    description: "Color scheme of the public page. `auto` (default): the scheme of the visitor's device.",
    example: 'auto',
  })
  theme!: Theme;

  @Flag({
    description: 'Whether the pages of monitors contain a chart of their response times. Default: false.',
    example: true,
  })
  show_response_times!: boolean;

  @Image('Logo; null: none.')
  logo!: BrandingImageDto | null;

  @Image('Logo on dark backgrounds; null: the logo.')
  logo_dark!: BrandingImageDto | null;

  @Image('Icon in browser tabs; null: the current status.')
  favicon!: BrandingImageDto | null;

  @ResponseId('Status page that the branding belongs to.', EXAMPLE_IDS.status_page)
  status_page_id!: string;

  @ResponseId('Project that owns the status page.', EXAMPLE_IDS.project)
  project_id!: string;

  @UpdatedAt()
  updated_at!: Date;
}
