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
import { CreateMaintenanceDto } from './dto/create-maintenance.dto.js';
import { ListMaintenancesQuery } from './dto/list-maintenances.query.js';
import { MaintenanceDto } from './dto/maintenance.dto.js';
import { UpdateMaintenanceDto } from './dto/update-maintenance.dto.js';
import { MaintenanceListsService } from './maintenance-lists.service.js';
import { MaintenancesService } from './maintenances.service.js';

@ApiTags('Maintenance windows')
@Controller('v1/maintenances')
export class MaintenancesController {
  constructor(
    private readonly maintenances: MaintenancesService,
    private readonly lists: MaintenanceListsService,
  ) {}

  @Get()
  @RequireScope('maintenances:read')
  @ApiOperation({
    operationId: 'listMaintenances',
    summary: 'List the maintenance windows of a project, newest first',
  })
  @RespondsWithList(MaintenanceDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListMaintenancesQuery,
  ): Promise<ListPage<MaintenanceDto>> {
    return this.lists.list(actor, query);
  }

  @Post()
  @RequireScope('maintenances:write')
  @ApiOperation({ operationId: 'createMaintenance', summary: 'Create a maintenance window in a project' })
  @RespondsWithCreated(MaintenanceDto, ({ id }) => `/v1/maintenances/${id}`)
  @RespondsWithProblems('not_found')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() maintenance: CreateMaintenanceDto,
  ): Promise<{ data: MaintenanceDto }> {
    return { data: await this.maintenances.create(actor, maintenance) };
  }

  @Get(':id')
  @RequireScope('maintenances:read')
  @ApiOperation({ operationId: 'getMaintenance', summary: 'Get a maintenance window' })
  @RespondsWithOne(MaintenanceDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<MaintenanceDto> }> {
    return { data: await this.maintenances.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('maintenances:write')
  @ApiOperation({
    operationId: 'updateMaintenance',
    summary: 'Update a maintenance window; omitted fields keep their values',
  })
  @RespondsWithOne(MaintenanceDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateMaintenanceDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<MaintenanceDto> }> {
    return { data: await this.maintenances.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('maintenances:write')
  @ApiOperation({
    operationId: 'deleteMaintenance',
    summary: 'Delete a maintenance window',
  })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.maintenances.delete(actor, id, expected);
  }
}
