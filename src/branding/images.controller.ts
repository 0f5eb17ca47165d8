import { applyDecorators, Body, Controller, Delete, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { RespondsWithNothing, RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import { TakesRecognizedFile } from '../platform/validation/body.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { EXTENSIONS, MAX_IMAGE_BYTES } from './images/image-values.js';
import { BrandingService } from './branding.service.js';
import { BrandingDto } from './dto/branding.dto.js';

/** First the format of the example. */
const TYPES = Object.keys(EXTENSIONS).toReversed();

const EXAMPLE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="14" fill="#4f46e5"/></svg>';

const PutsImage = (path: string, name: string, operationId: string) =>
  applyDecorators(
    Put(`:id/branding/${path}`),
    RequireScope('status_pages:write'),
    ApiOperation({
      operationId,
      summary: `Upload the ${name} of a status page`,
      description:
        'The body is the file itself. The service recognizes its format by its content, ignores `Content-Type`, and stores the file unchanged.',
    }),
    TakesRecognizedFile(
      TYPES,
      'A PNG, JPEG or WebP picture of at most 512 KiB, 4,096 pixels on each side and 4,194,304 pixels in total, or an SVG of at most 100 KiB.',
      EXAMPLE,
      MAX_IMAGE_BYTES,
    ),
    RespondsWithOne(BrandingDto),
    RespondsWithProblems('invalid_image'),
    AcceptsIfMatch(),
  );

const DeletesImage = (path: string, name: string, operationId: string) =>
  applyDecorators(
    Delete(`:id/branding/${path}`),
    RequireScope('status_pages:write'),
    ApiOperation({ operationId, summary: `Delete the ${name} of a status page` }),
    RespondsWithNothing(),
    AcceptsIfMatch(),
  );

/** Pictures of the branding of status pages. */
@ApiTags('Branding')
@Controller('v1/status-pages')
export class ImagesController {
  constructor(private readonly branding: BrandingService) {}

  @PutsImage('logo', 'logo', 'putLogo')
  async putLogo(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() file: Uint8Array,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: BrandingDto }> {
    return { data: await this.branding.putImage(actor, id, 'logo', file, expected) };
  }

  @DeletesImage('logo', 'logo', 'deleteLogo')
  async deleteLogo(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.branding.deleteImage(actor, id, 'logo', expected);
  }

  @PutsImage('logo-dark', 'logo for dark backgrounds', 'putDarkLogo')
  async putDarkLogo(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() file: Uint8Array,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: BrandingDto }> {
    return { data: await this.branding.putImage(actor, id, 'logo_dark', file, expected) };
  }

  @DeletesImage('logo-dark', 'logo for dark backgrounds', 'deleteDarkLogo')
  async deleteDarkLogo(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.branding.deleteImage(actor, id, 'logo_dark', expected);
  }

  @PutsImage('favicon', 'favicon', 'putFavicon')
  async putFavicon(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() file: Uint8Array,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: BrandingDto }> {
    return { data: await this.branding.putImage(actor, id, 'favicon', file, expected) };
  }

  @DeletesImage('favicon', 'favicon', 'deleteFavicon')
  async deleteFavicon(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.branding.deleteImage(actor, id, 'favicon', expected);
  }
}
