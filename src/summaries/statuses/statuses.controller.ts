import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type CurrentApiKey, CurrentKey } from '../../platform/auth/current-key.js';
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
    @CurrentKey() key: CurrentApiKey,
    @UuidParam('id') id: string,
  ): Promise<{ data: MonitorStatusDto | undefined }> {
    return { data: await this.statuses.get(key, id) };
  }

  @Get('monitor-statuses')
  @RequireScope('monitors:read')
  @ApiOperation({
    operationId: 'listMonitorStatuses',
    summary: 'List the current monitor statuses of a project, newest monitor first',
  })
  @RespondsWithList(MonitorStatusDto)
  async list(
    @CurrentKey() key: CurrentApiKey,
    @Query() query: ListMonitorStatusesQuery,
  ): Promise<ListPage<MonitorStatusDto>> {
    return this.statuses.list(key, query);
  }
}
