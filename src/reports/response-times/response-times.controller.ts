import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { RespondsWithOne } from '../../platform/openapi/responses.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { ResponseTimesDto } from './dto/response-times.dto.js';
import { ResponseTimesQuery } from './dto/response-times.query.js';
import { ResponseTimesService } from './response-times.service.js';

@ApiTags('Monitors')
@Controller('v1/monitors')
export class ResponseTimesController {
  constructor(private readonly responseTimes: ResponseTimesService) {}

  @Get(':id/response-times')
  @RequireScope('monitors:read')
  @ApiOperation({
    operationId: 'getMonitorResponseTimes',
    summary: 'Get the response times of a monitor by hour or day',
  })
  @RespondsWithOne(ResponseTimesDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: ResponseTimesQuery,
  ): Promise<{ data: ResponseTimesDto }> {
    return { data: await this.responseTimes.get(actor, id, query) };
  }
}
