import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { RespondsWithOne } from '../platform/openapi/responses.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { AccessService } from './access.service.js';
import { AccessDto } from './dto/access.dto.js';
import { ReplaceAccessDto } from './dto/replace-access.dto.js';

/** Rules of who may see private status pages. */
@ApiTags('Access')
@Controller('v1/status-pages')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Get(':id/access')
  @RequireScope('status_pages:write')
  @ApiOperation({ operationId: 'getAccess', summary: 'Get the rules of who may see a private status page' })
  @RespondsWithOne(AccessDto)
  async get(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<{ data: AccessDto }> {
    return { data: await this.access.get(actor, id) };
  }

  @Put(':id/access')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'replaceAccess',
    summary: 'Replace the rules of who may see a private status page; ends all sessions of visitors',
  })
  @RespondsWithOne(AccessDto)
  @AcceptsIfMatch()
  async replace(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() rules: ReplaceAccessDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: AccessDto }> {
    return { data: await this.access.replace(actor, id, rules, expected) };
  }
}
