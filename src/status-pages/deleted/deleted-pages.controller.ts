import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../../platform/auth/actor.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import {
  RespondsWithList,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithProblems,
} from '../../platform/openapi/responses.js';
import type { ListPage } from '../../platform/pagination/list-page.js';
import { type ExpectedVersions } from '../../platform/database/versions.js';
import { AcceptsIfMatch, IfMatch } from '../../platform/server/etag.js';
import { UuidParam } from '../../platform/validation/uuid.js';
import { DeletedPagesService } from './deleted-pages.service.js';
import { DeletedStatusPageDto, ListDeletedStatusPagesQuery } from './dto/deleted-status-page.dto.js';
import { OMITTED_MONITORS, RestoreStatusPageDto } from '../revisions/dto/restore.dto.js';
import { StatusPageDto } from '../dto/status-page.dto.js';
import type { Restored } from '../revisions/revisions.service.js';

@ApiTags('Status pages')
@Controller('v1')
export class DeletedPagesController {
  constructor(private readonly deletedPages: DeletedPagesService) {}

  @Delete('status-pages/:id')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'deleteStatusPage',
    summary: 'Delete a status page; it can be restored for 30 days',
  })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.deletedPages.delete(actor, id, expected);
  }

  @Get('deleted-status-pages')
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'listDeletedStatusPages',
    summary: 'List the restorable deleted status pages of a project, most recently deleted first',
  })
  @RespondsWithList(DeletedStatusPageDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListDeletedStatusPagesQuery,
  ): Promise<ListPage<DeletedStatusPageDto>> {
    return this.deletedPages.list(actor, query);
  }

  @Post('status-pages/:id/restore')
  @HttpCode(200)
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'restoreStatusPage',
    summary: 'Restore a status page that was deleted in the last 30 days',
  })
  @ApiParam({ name: 'id', example: EXAMPLE_IDS.deleted_status_page })
  @RespondsWithOne(StatusPageDto, OMITTED_MONITORS)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async restore(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() values: RestoreStatusPageDto,
  ): Promise<Restored<StatusPageDto>> {
    return this.deletedPages.restore(actor, id, values);
  }
}
