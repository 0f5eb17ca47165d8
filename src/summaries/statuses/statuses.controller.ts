import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { RespondsWithOne, RespondsWithList } from '../../platform/openapi/responses.js';
import type { ListPage } from '../../platform/pagination/list-page.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { ListMonitorStatusesQuery } from './dto/list-monitor-statuses.query.js';
import { MonitorStatusDto } from './dto/monitor-status.dto.js';
import { StatusesService } from './statuses.service.js';

@ApiTags('Monitors')
@Controller('v1')
export class StatusesController {
  constructor(private readonly statuses: StatusesService) {}

  @Get('monitors/:id/status')
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'getMonitorStatus', summary: 'Get the current status of a monitor' })
  @RespondsWithOne(MonitorStatusDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: MonitorStatusDto | undefined }> {
    return { data: await this.statuses.get(actor, id) };
  }

  @Get('monitor-statuses')
  @RequireScope('monitors:read')
  @ApiOperation({
    operationId: 'listMonitorStatuses',
    summary: 'List the current monitor statuses of a project, newest monitor first',
  })
  @RespondsWithList(MonitorStatusDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListMonitorStatusesQuery,
  ): Promise<ListPage<MonitorStatusDto>> {
    return this.statuses.list(actor, query);
  }
}
