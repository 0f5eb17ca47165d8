import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { RespondsWithOne } from '../platform/openapi/responses.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { StatusPageSummaryDto } from './dto/status-page-summary.dto.js';
import { SummariesService } from './summaries.service.js';

@ApiTags('Status pages')
@Controller('v1/status-pages')
export class SummariesController {
  constructor(private readonly summaries: SummariesService) {}

  @Get(':id/summary')
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'getStatusPageSummary',
    summary:
      'Get the current summary of a status page: headline, sections, incidents and maintenance windows',
  })
  @RespondsWithOne(StatusPageSummaryDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: StatusPageSummaryDto }> {
    return { data: await this.summaries.get(actor, id) };
  }
}
