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
import { type ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateMaintenanceUpdateDto } from './dto/create-maintenance-update.dto.js';
import { MaintenanceUpdateDto } from './dto/maintenance-update.dto.js';
import { UpdateMaintenanceUpdateDto } from './dto/update-maintenance-update.dto.js';
import { MaintenanceUpdatesService } from './maintenance-updates.service.js';

@ApiTags('Maintenance windows')
@Controller('v1/maintenances/:id/updates')
export class MaintenanceUpdatesController {
  constructor(private readonly updates: MaintenanceUpdatesService) {}

  @Get()
  @RequireScope('maintenances:read')
  @ApiOperation({
    operationId: 'listMaintenanceUpdates',
    summary: 'List the updates of a maintenance window, newest first',
  })
  @RespondsWithList(MaintenanceUpdateDto)
  async list(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: ListQuery,
  ): Promise<ListPage<MaintenanceUpdateDto>> {
    return this.updates.list(actor, id, query);
  }

  @Post()
  @RequireScope('maintenances:write')
  @ApiOperation({
    operationId: 'createMaintenanceUpdate',
    summary: 'Post an update to a maintenance window',
  })
  @RespondsWithCreated(
    MaintenanceUpdateDto,
    ({ id, maintenance_id }) => `/v1/maintenances/${maintenance_id}/updates/${id}`,
  )
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() update: CreateMaintenanceUpdateDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: MaintenanceUpdateDto }> {
    return { data: await this.updates.create(actor, id, update, expected) };
  }

  @Get(':update_id')
  @RequireScope('maintenances:read')
  @ApiOperation({ operationId: 'getMaintenanceUpdate', summary: 'Get an update of a maintenance window' })
  @RespondsWithOne(MaintenanceUpdateDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('update_id') updateId: string,
  ): Promise<{ data: RawJson<MaintenanceUpdateDto> }> {
    return { data: await this.updates.get(actor, id, updateId) };
  }

  @Patch(':update_id')
  @RequireScope('maintenances:write')
  @ApiOperation({
    operationId: 'updateMaintenanceUpdate',
    summary: 'Change an update of a maintenance window; omitted fields keep their values',
  })
  @RespondsWithOne(MaintenanceUpdateDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('update_id') updateId: string,
    @Body() patch: UpdateMaintenanceUpdateDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<MaintenanceUpdateDto> }> {
    return { data: await this.updates.update(actor, id, updateId, patch, expected) };
  }

  @Delete(':update_id')
  @RequireScope('maintenances:write')
  @ApiOperation({
    operationId: 'deleteMaintenanceUpdate',
    summary: 'Delete an update of a maintenance window',
  })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('update_id') updateId: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.updates.delete(actor, id, updateId, expected);
  }
}
