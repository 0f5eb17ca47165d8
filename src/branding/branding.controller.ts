import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { RespondsWithOne } from '../platform/openapi/responses.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { BrandingService } from './branding.service.js';
import { BrandingDto } from './dto/branding.dto.js';
import { UpdateBrandingDto } from './dto/update-branding.dto.js';

@ApiTags('Branding')
@Controller('v1/status-pages')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  @Get(':id/branding')
  @RequireScope('status_pages:read')
  @ApiOperation({ operationId: 'getBranding', summary: 'Get the branding of a status page' })
  @RespondsWithOne(BrandingDto)
  async get(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<{ data: BrandingDto }> {
    return { data: await this.branding.get(actor, id) };
  }

  @Patch(':id/branding')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'updateBranding',
    summary: 'Update the branding of a status page; omitted fields keep their values',
  })
  @RespondsWithOne(BrandingDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateBrandingDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: BrandingDto }> {
    return { data: await this.branding.update(actor, id, patch, expected) };
  }
}
