import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import type { ListPage } from '../../platform/pagination/list-page.js';
import { AcceptsIfMatch, IfMatch } from '../../platform/server/etag.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { CreateIncidentTemplateDto } from './dto/create-incident-template.dto.js';
import { ListIncidentTemplatesQuery } from './dto/list-incident-templates.query.js';
import { IncidentTemplateDto } from './dto/incident-template.dto.js';
import { UpdateIncidentTemplateDto } from './dto/update-incident-template.dto.js';
import { IncidentTemplatesService } from './incident-templates.service.js';

@ApiTags('Incident templates')
@Controller('v1/incident-templates')
export class IncidentTemplatesController {
  constructor(private readonly incidentTemplates: IncidentTemplatesService) {}

  @Get()
  @RequireScope('incidents:read')
  @ApiOperation({
    operationId: 'listIncidentTemplates',
    summary: 'List the incident templates of a project, newest first',
  })
  @RespondsWithList(IncidentTemplateDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListIncidentTemplatesQuery,
  ): Promise<ListPage<IncidentTemplateDto>> {
    return this.incidentTemplates.list(actor, query);
  }

  @Post()
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'createIncidentTemplate',
    summary: 'Create an incident template in a project',
  })
  @RespondsWithCreated(IncidentTemplateDto, ({ id }) => `/v1/incident-templates/${id}`)
  @RespondsWithProblems('not_found')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() incidentTemplate: CreateIncidentTemplateDto,
  ): Promise<{ data: IncidentTemplateDto }> {
    return { data: await this.incidentTemplates.create(actor, incidentTemplate) };
  }

  @Get(':id')
  @RequireScope('incidents:read')
  @ApiOperation({ operationId: 'getIncidentTemplate', summary: 'Get an incident template' })
  @RespondsWithOne(IncidentTemplateDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<IncidentTemplateDto> }> {
    return { data: await this.incidentTemplates.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('incidents:write')
  @ApiOperation({
    operationId: 'updateIncidentTemplate',
    summary: 'Update an incident template; omitted fields keep their values',
  })
  @RespondsWithOne(IncidentTemplateDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateIncidentTemplateDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<IncidentTemplateDto> }> {
    return { data: await this.incidentTemplates.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('incidents:write')
  @ApiOperation({ operationId: 'deleteIncidentTemplate', summary: 'Delete an incident template' })
  @RespondsWithNothing()
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.incidentTemplates.delete(actor, id, expected);
  }
}
