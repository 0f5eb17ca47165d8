import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import {
  RespondsWithCreated,
  RespondsWithList,
  RespondsWithNothing,
  RespondsWithOne,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { AcceptsIfMatch, IfMatch } from '../platform/server/etag.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { CreateCheckDto } from './dto/create-check.dto.js';
import { ListChecksQuery } from './dto/list-checks.query.js';
import { CheckStateDto } from './dto/check-run.dto.js';
import { CheckDto } from './dto/check.dto.js';
import { UpdateCheckDto } from './dto/update-check.dto.js';
import { ChecksService } from './checks.service.js';

@ApiTags('Checks')
@Controller('v1/checks')
export class ChecksController {
  constructor(private readonly checks: ChecksService) {}

  @Get()
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'listChecks', summary: 'List the checks of a project, newest first' })
  @RespondsWithList(CheckDto)
  async list(@CurrentActor() actor: Actor, @Query() query: ListChecksQuery): Promise<ListPage<CheckDto>> {
    return this.checks.list(actor, query);
  }

  @Post()
  @RequireScope('monitors:write')
  @ApiOperation({ operationId: 'createCheck', summary: 'Create a check of a monitor' })
  @RespondsWithCreated(CheckDto, ({ id }) => `/v1/checks/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async create(@CurrentActor() actor: Actor, @Body() check: CreateCheckDto): Promise<{ data: CheckDto }> {
    return { data: await this.checks.create(actor, check) };
  }

  @Get(':id')
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'getCheck', summary: 'Get a check' })
  @RespondsWithOne(CheckDto)
  async get(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<{ data: RawJson<CheckDto> }> {
    return { data: await this.checks.get(actor, id) };
  }

  @Get(':id/state')
  @RequireScope('monitors:read')
  @ApiOperation({ operationId: 'getCheckState', summary: 'Get the last run of a check, and the next one' })
  @RespondsWithOne(CheckStateDto)
  async state(@CurrentActor() actor: Actor, @UuidParam('id') id: string): Promise<{ data: CheckStateDto }> {
    return { data: await this.checks.stateOf(actor, id) };
  }

  @Patch(':id')
  @RequireScope('monitors:write')
  @ApiOperation({ operationId: 'updateCheck', summary: 'Update a check; omitted fields keep their values' })
  @RespondsWithOne(CheckDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateCheckDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<CheckDto> }> {
    return { data: await this.checks.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('monitors:write')
  @ApiOperation({ operationId: 'deleteCheck', summary: 'Delete a check' })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.checks.delete(actor, id, expected);
  }
}
