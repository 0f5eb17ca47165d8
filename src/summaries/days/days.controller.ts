import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { RespondsWithOne } from '../../platform/openapi/responses.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { DaysService } from './days.service.js';
import { DaysQuery } from './dto/days.query.js';
import { MonitorDaysDto } from './dto/monitor-days.dto.js';

@ApiTags('Monitors')
@Controller('v1/monitors')
export class DaysController {
  constructor(private readonly days: DaysService) {}

  @Get(':id/days')
  @RequireScope('monitors:read')
  @ApiOperation({
    operationId: 'getMonitorDays',
    summary: 'Get the daily uptime of a monitor, with the seconds in each status',
  })
  @RespondsWithOne(MonitorDaysDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: DaysQuery,
  ): Promise<{ data: MonitorDaysDto }> {
    return { data: await this.days.get(actor, id, query) };
  }
}
