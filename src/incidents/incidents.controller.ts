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
import { CreateIncidentDto } from './dto/create-incident.dto.js';
import { IncidentDto } from './dto/incident.dto.js';
import { ListIncidentsQuery } from './dto/list-incidents.query.js';
import { UpdateIncidentDto } from './dto/update-incident.dto.js';
import { IncidentListsService } from './incident-lists.service.js';
import { IncidentsService } from './incidents.service.js';

@ApiTags('Incidents')
@Controller('v1/incidents')
export class IncidentsController {
  constructor(
    private readonly incidents: IncidentsService,
    private readonly lists: IncidentListsService,
  ) {}

  @Get()
  @RequireScope('incidents:read')
  @ApiOperation({ operationId: 'listIncidents', summary: 'List the incidents of a project, newest first' })
  @RespondsWithList(IncidentDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListIncidentsQuery,
  ): Promise<ListPage<IncidentDto>> {
    return this.lists.list(actor, query);
  }

  @Post()
  @RequireScope('incidents:write')
  @ApiOperation({ operationId: 'createIncident', summary: 'Create an incident with its first update' })
  @RespondsWithCreated(IncidentDto, ({ id }) => `/v1/incidents/${id}`)
  @RespondsWithProblems('not_found')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() incident: CreateIncidentDto,
  ): Promise<{ data: IncidentDto }> {
    return { data: await this.incidents.create(actor, incident) };
  }

  @Get(':id')
  @RequireScope('incidents:read')
  @ApiOperation({ operationId: 'getIncident', summary: 'Get an incident' })
  @RespondsWithOne(IncidentDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<IncidentDto> }> {
    return { data: await this.incidents.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'updateIncident',
    summary: 'Update an incident; omitted fields keep their values',
  })
  @RespondsWithOne(IncidentDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateIncidentDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<IncidentDto> }> {
    return { data: await this.incidents.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('incidents:write')
  @ApiOperation({ operationId: 'deleteIncident', summary: 'Delete an incident and its updates' })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.incidents.delete(actor, id, expected);
  }
}
