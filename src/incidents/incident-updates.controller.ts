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
import { CreateIncidentUpdateDto } from './dto/create-incident-update.dto.js';
import { IncidentUpdateDto } from './dto/incident-update.dto.js';
import { UpdateIncidentUpdateDto } from './dto/update-incident-update.dto.js';
import { IncidentUpdatesService } from './incident-updates.service.js';

@ApiTags('Incidents')
@Controller('v1/incidents/:id/updates')
export class IncidentUpdatesController {
  constructor(private readonly updates: IncidentUpdatesService) {}

  @Get()
  @RequireScope('incidents:read')
  @ApiOperation({
    operationId: 'listIncidentUpdates',
    summary: 'List the updates of an incident, newest first',
  })
  @RespondsWithList(IncidentUpdateDto)
  async list(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: ListQuery,
  ): Promise<ListPage<IncidentUpdateDto>> {
    return this.updates.list(actor, id, query);
  }

  @Post()
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'createIncidentUpdate',
    summary: 'Post an update to an incident and set its status',
  })
  @RespondsWithCreated(
    IncidentUpdateDto,
    ({ id, incident_id }) => `/v1/incidents/${incident_id}/updates/${id}`,
  )
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() update: CreateIncidentUpdateDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: IncidentUpdateDto }> {
    return { data: await this.updates.create(actor, id, update, expected) };
  }

  @Get(':update_id')
  @RequireScope('incidents:read')
  @ApiOperation({ operationId: 'getIncidentUpdate', summary: 'Get an incident update' })
  @RespondsWithOne(IncidentUpdateDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('update_id') updateId: string,
  ): Promise<{ data: RawJson<IncidentUpdateDto> }> {
    return { data: await this.updates.get(actor, id, updateId) };
  }

  @Patch(':update_id')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'updateIncidentUpdate',
    summary: 'Change an incident update; omitted fields keep their values',
  })
  @RespondsWithOne(IncidentUpdateDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('update_id') updateId: string,
    @Body() patch: UpdateIncidentUpdateDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<IncidentUpdateDto> }> {
    return { data: await this.updates.update(actor, id, updateId, patch, expected) };
  }

  @Delete(':update_id')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'deleteIncidentUpdate',
    summary:
      'Delete an incident update and recompute the status of the incident and the uptime of its monitors',
  })
  @RespondsWithNothing()
  @RespondsWithProblems('conflict')
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
