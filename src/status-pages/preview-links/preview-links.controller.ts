import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { RespondsWithCreated } from '../../platform/openapi/responses.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { CreatePreviewLinkDto } from './dto/create-preview-link.dto.js';
import { PreviewLinkDto } from './dto/preview-link.dto.js';
import { PreviewLinksService } from './preview-links.service.js';

@ApiTags('Status pages')
@Controller('v1/status-pages')
export class PreviewLinksController {
  constructor(private readonly previewLinks: PreviewLinksService) {}

  @Post(':id/preview-links')
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'createPreviewLink',
    summary: 'Create a preview link for a public or private status page; valid for 24 hours',
  })
  @RespondsWithCreated(PreviewLinkDto)
  @AcceptsIdempotencyKey('url')
  async create(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() _body: CreatePreviewLinkDto,
  ): Promise<{ data: PreviewLinkDto }> {
    return { data: await this.previewLinks.create(actor, id) };
  }
}
