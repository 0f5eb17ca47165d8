import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { ExcludesDryRun } from '../platform/dry-run/excludes-dry-run.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CheckRunsService } from './check-runs.service.js';
import { CheckRunDto } from './dto/check-run.dto.js';

@ApiTags('Checks')
@Controller('v1/checks/:id')
export class CheckRunsController {
  constructor(private readonly runs: CheckRunsService) {}

  @Post('run')
  @HttpCode(200)
  @ExcludesDryRun('The operation records nothing')
  @RequireScope('monitors:write')
  @ApiOperation({
    operationId: 'runCheck',
    summary: 'Run a check now, and get its result',
    description:
      'The response is 200 even if the check has failed. The result is not recorded. At most 10 runs of a check and 60 of an organization per minute.',
  })
  @RespondsWithOne(CheckRunDto)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async run(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Req() request: Request,
  ): Promise<{ data: CheckRunDto }> {
    return { data: await this.runs.run(actor, id, (work) => withoutTurn(request, work)) };
  }
}
