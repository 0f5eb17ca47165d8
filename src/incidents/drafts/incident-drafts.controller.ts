import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import type { ExpectedVersions } from '../../platform/database/versions.js';
import { AcceptsIdempotencyKey } from '../../platform/idempotency/accepts-idempotency-key.js';
import {
  RespondsWithCreated,
  RespondsWithList,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithProblems,
} from '../../platform/openapi/responses.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import type { ListPage } from '../../platform/pagination/list-page.js';
import { AcceptsIfMatch, IfMatch } from '../../platform/server/etag.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { IncidentDto } from '../dto/incident.dto.js';
import { CreateIncidentDraftDto } from './dto/create-incident-draft.dto.js';
import { ListIncidentDraftsQuery } from './dto/list-incident-drafts.query.js';
import { IncidentDraftDto } from './dto/incident-draft.dto.js';
import { PublishIncidentDraftDto } from './dto/publish-incident-draft.dto.js';
import { UpdateIncidentDraftDto } from './dto/update-incident-draft.dto.js';
import { IncidentDraftsService } from './incident-drafts.service.js';

@ApiTags('Incident drafts')
@Controller('v1/incident-drafts')
export class IncidentDraftsController {
  constructor(private readonly incidentDrafts: IncidentDraftsService) {}

  @Get()
  @RequireScope('incidents:read')
  @ApiOperation({
    operationId: 'listIncidentDrafts',
    summary: 'List the incident drafts of a project, newest first',
  })
  @RespondsWithList(IncidentDraftDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListIncidentDraftsQuery,
  ): Promise<ListPage<IncidentDraftDto>> {
    return this.incidentDrafts.list(actor, query);
  }

  @Post()
  @RequireScope('incidents:write')
  @ApiOperation({ operationId: 'createIncidentDraft', summary: 'Create an incident draft in a project' })
  @RespondsWithCreated(IncidentDraftDto, ({ id }) => `/v1/incident-drafts/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() incidentDraft: CreateIncidentDraftDto,
  ): Promise<{ data: IncidentDraftDto }> {
    return { data: await this.incidentDrafts.create(actor, incidentDraft) };
  }

  @Get(':id')
  @RequireScope('incidents:read')
  @ApiOperation({ operationId: 'getIncidentDraft', summary: 'Get an incident draft' })
  @RespondsWithOne(IncidentDraftDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<IncidentDraftDto> }> {
    return { data: await this.incidentDrafts.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'updateIncidentDraft',
    summary: 'Update an incident draft; omitted fields keep their values',
  })
  @RespondsWithOne(IncidentDraftDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateIncidentDraftDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<IncidentDraftDto> }> {
    return { data: await this.incidentDrafts.update(actor, id, patch, expected) };
  }

  @Post(':id/publish')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'publishIncidentDraft',
    summary: 'Publish an incident draft: create the incident, and delete the draft',
  })
  @ApiParam({ name: 'id', example: EXAMPLE_IDS.other_incident_draft })
  @RespondsWithCreated(IncidentDto, ({ id }) => `/v1/incidents/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIfMatch()
  @AcceptsIdempotencyKey()
  async publish(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() fields: PublishIncidentDraftDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: IncidentDto }> {
    return { data: await this.incidentDrafts.publish(actor, id, fields, expected) };
  }

  @Delete(':id')
  @RequireScope('incidents:write')
  @ApiOperation({ operationId: 'deleteIncidentDraft', summary: 'Delete an incident draft' })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.incidentDrafts.delete(actor, id, expected);
  }
}
