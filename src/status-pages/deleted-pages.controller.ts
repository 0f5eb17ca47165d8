import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../auth/access.decorators.js';
import { type CurrentApiKey, CurrentKey } from '../auth/current-key.js';
import { RespondsWithOne, RespondsWithPage, RespondsWithProblems } from '../openapi/responses.js';
import type { Page } from '../pagination/page.js';
import { UuidParam } from '../validation/uuid.js';
import { DeletedPagesService } from './deleted-pages.service.js';
import { DeletedStatusPageDto, ListDeletedStatusPagesQuery } from './dto/deleted-status-page.dto.js';
import { OMITTED_MONITORS, RestoreStatusPageDto } from './dto/restore.dto.js';
import { StatusPageDto } from './dto/status-page.dto.js';
import type { Restored } from './revisions.service.js';

@ApiTags('Status pages')
@Controller('v1')
export class DeletedPagesController {
  constructor(private readonly deletedPages: DeletedPagesService) {}

  @Get('deleted-status-pages')
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'listDeletedStatusPages',
    summary: 'List the deleted status pages of a project that can be restored, last deleted first',
  })
  @RespondsWithPage(DeletedStatusPageDto)
  async list(
    @CurrentKey() key: CurrentApiKey,
    @Query() query: ListDeletedStatusPagesQuery,
  ): Promise<Page<DeletedStatusPageDto>> {
    return this.deletedPages.list(key, query);
  }

  @Post('status-pages/:id/restore')
  @HttpCode(200)
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'restoreStatusPage',
    summary: 'Restore a status page that was deleted in the last 30 days',
  })
  @RespondsWithOne(StatusPageDto, OMITTED_MONITORS)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async restore(
    @CurrentKey() key: CurrentApiKey,
    @UuidParam('id') id: string,
    @Body() values: RestoreStatusPageDto,
  ): Promise<Restored<StatusPageDto>> {
    return this.deletedPages.restore(key, id, values);
  }
}
