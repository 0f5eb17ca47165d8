import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import {
  RespondsWithCreated,
  RespondsWithOne,
  RespondsWithList,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { type ExpectedVersions } from '../platform/database/versions.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import type { RawJson } from '../platform/database/raw-json.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateStatusPageDto } from './dto/create-status-page.dto.js';
import { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import { PAGE_WARNINGS, PageWarningDto } from './dto/page-warning.dto.js';
import { StatusPageDto } from './dto/status-page.dto.js';
import { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import { UpdateStatusPageSettingsDto } from './dto/update-status-page-settings.dto.js';
import { PageWarnings } from './page-warnings.js';
import { StatusPagesService } from './status-pages.service.js';

/** Status pages, except DELETE, which is in `deleted/`. */
@ApiTags('Status pages')
@ApiExtraModels(PageWarningDto)
@Controller('v1/status-pages')
export class StatusPagesController {
  constructor(
    private readonly statusPages: StatusPagesService,
    private readonly warnings: PageWarnings,
  ) {}

  @Get()
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'listStatusPages',
    summary: 'List the status pages of a project, newest first',
  })
  @RespondsWithList(StatusPageDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListStatusPagesQuery,
  ): Promise<ListPage<StatusPageDto>> {
    return this.statusPages.list(actor, query);
  }

  @Post()
  @RequireScope('status_pages:write')
  @ApiOperation({ operationId: 'createStatusPage', summary: 'Create a status page in a project' })
  @RespondsWithCreated(StatusPageDto, ({ id }) => `/v1/status-pages/${id}`, PAGE_WARNINGS)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() page: CreateStatusPageDto,
  ): Promise<{ data: StatusPageDto; warnings?: PageWarningDto[] }> {
    return { data: await this.statusPages.create(actor, page), ...this.warnings.of(page) };
  }

  @Get(':id')
  @RequireScope('status_pages:read')
  @ApiOperation({ operationId: 'getStatusPage', summary: 'Get a status page' })
  @RespondsWithOne(StatusPageDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<StatusPageDto> }> {
    return { data: await this.statusPages.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'updateStatusPage',
    summary: 'Update a status page; omitted fields keep their values',
  })
  @RespondsWithOne(StatusPageDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateStatusPageDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<StatusPageDto> }> {
    return { data: await this.statusPages.update(actor, id, patch, expected) };
  }

  @Patch(':id/settings')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'updateStatusPageSettings',
    summary: 'Update the settings of a status page; omitted settings keep their values',
  })
  @RespondsWithOne(StatusPageDto, {}, PAGE_WARNINGS)
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async updateSettings(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateStatusPageSettingsDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<StatusPageDto>; warnings?: PageWarningDto[] }> {
    const data = await this.statusPages.updateSettings(actor, id, patch, expected);
    return { data, ...this.warnings.of(patch) };
  }
}
