import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import { RespondsWithOne } from '../platform/openapi/responses.js';
import { ExcludesDryRun } from '../platform/dry-run/excludes-dry-run.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { DomainsService } from './domains.service.js';
import { StatusPageDomainDto } from './dto/status-page-domain.dto.js';

@ApiTags('Custom domains')
@Controller('v1/status-pages')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get(':id/domain')
  @RequireScope('status_pages:read')
  @ApiParam({ name: 'id', example: EXAMPLE_IDS.other_status_page })
  @ApiOperation({ operationId: 'getDomain', summary: 'Get the state of the custom domain of a status page' })
  @RespondsWithOne(StatusPageDomainDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: StatusPageDomainDto }> {
    return { data: await this.domains.get(actor, id) };
  }

  @Post(':id/domain/verify')
  @HttpCode(200)
  @RequireScope('status_pages:write')
  @ApiParam({ name: 'id', example: EXAMPLE_IDS.other_status_page })
  @ApiOperation({
    operationId: 'verifyDomain',
    summary: 'Check the custom domain of a status page now',
    description:
      'The response is 200 even if the record is missing. At most 10 checks of a domain per hour. The instance also checks each domain by itself.',
  })
  @RespondsWithOne(StatusPageDomainDto)
  @ExcludesDryRun('The operation only asks the DNS')
  @AcceptsIdempotencyKey()
  async verify(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Req() request: Request,
  ): Promise<{ data: StatusPageDomainDto }> {
    return { data: await this.domains.verify(actor, id, (work) => withoutTurn(request, work)) };
  }
}
