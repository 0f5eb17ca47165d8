import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { CreateMonitorReportsDto } from './dto/create-monitor-reports.dto.js';
import { ReportsResultDto } from './dto/reports-result.dto.js';
import { ReportsService } from './reports.service.js';

@ApiTags('Monitor reports')
@Controller('v1/monitor-reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('monitor_reports:write')
  @ApiOperation({
    operationId: 'createMonitorReports',
    summary: 'Report the status of monitors, with up to 1,000 reports per request',
  })
  @RespondsWithOne(ReportsResultDto)
  @RespondsWithProblems('not_found')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() reports: CreateMonitorReportsDto,
  ): Promise<{ data: ReportsResultDto }> {
    return { data: await this.reports.create(actor, reports) };
  }
}
