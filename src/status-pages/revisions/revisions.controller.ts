import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import { type ExpectedVersions } from '../../platform/database/versions.js';
import { RespondsWithOne, RespondsWithList, RespondsWithProblems } from '../../platform/openapi/responses.js';
import { type ListPage, ListQuery } from '../../platform/pagination/list-page.js';
import { AcceptsIfMatch, IfMatch } from '../../platform/server/etag.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { OMITTED_MONITORS, RestoreRevisionDto } from './dto/restore.dto.js';
import { RevisionDto, RevisionParams, RevisionWithPageDto } from './dto/revision.dto.js';
import { StatusPageDto } from '../dto/status-page.dto.js';
import { type Restored, RevisionsService } from './revisions.service.js';

@ApiTags('Status pages')
@Controller('v1/status-pages/:id/revisions')
export class RevisionsController {
  constructor(private readonly revisions: RevisionsService) {}

  @Get()
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'listStatusPageRevisions',
    summary: 'List the revisions of a status page, newest first',
  })
  @RespondsWithList(RevisionDto)
  async list(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: ListQuery,
  ): Promise<ListPage<RevisionDto>> {
    return this.revisions.list(actor, id, query);
  }

  @Get(':number')
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'getStatusPageRevision',
    summary: 'Get a revision of a status page, including the status page after the change',
  })
  @RespondsWithOne(RevisionWithPageDto)
  async get(
    @CurrentActor() actor: Actor,
    @Param() params: RevisionParams,
  ): Promise<{ data: RevisionWithPageDto }> {
    return { data: await this.revisions.get(actor, params) };
  }

  @Post(':number/restore')
  @HttpCode(200)
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'restoreStatusPageRevision',
    summary: 'Restore a status page to a revision',
  })
  @RespondsWithOne(StatusPageDto, OMITTED_MONITORS)
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  @AcceptsIdempotencyKey()
  async restore(
    @CurrentActor() actor: Actor,
    @Param() params: RevisionParams,
    @Body() _body: RestoreRevisionDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<Restored<RawJson<StatusPageDto>>> {
    return this.revisions.restore(actor, params, expected);
  }
}
