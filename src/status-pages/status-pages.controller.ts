import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../auth/access.decorators.js';
import { type CurrentApiKey, CurrentKey } from '../auth/current-key.js';
import { Conditional, type ExpectedVersions, IfMatch } from '../http/etag.js';
import { AnswersOne, AnswersPage } from '../http/openapi.js';
import type { Page } from '../http/page.js';
import { UuidPipe } from '../http/uuid.js';
import { ListStatusPagesQuery } from './dto/list-status-pages.query.js';
import { StatusPageDto } from './dto/status-page.dto.js';
import { UpdateStatusPageDto } from './dto/update-status-page.dto.js';
import { StatusPagesService } from './status-pages.service.js';

@ApiTags('Status pages')
@Controller('v1/status-pages')
export class StatusPagesController {
  constructor(private readonly statusPages: StatusPagesService) {}

  @Get()
  @RequireScope('status_pages:read')
  @ApiOperation({
    operationId: 'listStatusPages',
    summary: 'List the status pages of a project, newest first',
  })
  @AnswersPage(StatusPageDto)
  async list(
    @CurrentKey() key: CurrentApiKey,
    @Query() query: ListStatusPagesQuery,
  ): Promise<Page<StatusPageDto>> {
    return this.statusPages.list(key, query);
  }

  @Patch(':id')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'updateStatusPage',
    summary: 'Change the fields of a status page that are sent',
  })
  @AnswersOne(StatusPageDto)
  @Conditional()
  async update(
    @CurrentKey() key: CurrentApiKey,
    @Param('id', UuidPipe) id: string,
    @Body() patch: UpdateStatusPageDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: StatusPageDto }> {
    return { data: await this.statusPages.update(key, id, patch, expected) };
  }
}
