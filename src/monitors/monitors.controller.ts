import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import {
  RespondsWithCreated,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithList,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import type { RawJson } from '../platform/database/raw-json.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateMonitorDto } from './dto/create-monitor.dto.js';
import { ListMonitorsQuery } from './dto/list-monitors.query.js';
import { MonitorDto } from './dto/monitor.dto.js';
import { UpdateMonitorDto } from './dto/update-monitor.dto.js';
import { MonitorsService } from './monitors.service.js';

@ApiTags('Monitors')
@Controller('v1/monitors')
export class MonitorsController {
  constructor(private readonly monitors: MonitorsService) {}

  @Get()
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'listMonitors', summary: 'List the monitors of a project, newest first' })
  @RespondsWithList(MonitorDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListMonitorsQuery): Promise<ListPage<MonitorDto>> {
    return this.monitors.list(actor, query);
  }

  @Post()
  @RequireScope('monitors:write')
  @ApiOperation({ operationId: 'createMonitor', summary: 'Create a monitor in a project' })
  @RespondsWithCreated(MonitorDto, ({ id }) => `/v1/monitors/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() monitor: CreateMonitorDto,
  ): Promise<{ data: MonitorDto }> {
    return { data: await this.monitors.create(actor, monitor) };
  }

  @Get(':id')
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'getMonitor', summary: 'Get a monitor' })
  @RespondsWithOne(MonitorDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<MonitorDto> }> {
    return { data: await this.monitors.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('monitors:write')
  @ApiOperation({
    operationId: 'updateMonitor',
    summary: 'Update a monitor; omitted fields keep their values',
  })
  @RespondsWithOne(MonitorDto)
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateMonitorDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<MonitorDto> }> {
    return { data: await this.monitors.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('monitors:write')
  @ApiOperation({
    operationId: 'deleteMonitor',
    summary: 'Delete a monitor and remove it from all sections',
  })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.monitors.delete(actor, id, expected);
  }
}
