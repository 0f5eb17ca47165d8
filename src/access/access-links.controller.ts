import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import {
  RespondsWithCreated,
  RespondsWithList,
  RespondsWithNothing,
  RespondsWithProblems,
} from '../platform/openapi/responses.js';
import { type ListPage, ListQuery } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { AccessLinksService } from './access-links.service.js';
import { AccessLinkDto, NewAccessLinkDto } from './dto/access-link.dto.js';
import { CreateAccessLinkDto } from './dto/create-access-link.dto.js';

/** Links with tokens to private status pages. */
@ApiTags('Access')
@Controller('v1/status-pages/:id/access/links')
export class AccessLinksController {
  constructor(private readonly links: AccessLinksService) {}

  @Get()
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'listAccessLinks',
    summary: 'List the links with tokens to a private status page, newest first',
  })
  @RespondsWithList(AccessLinkDto)
  async list(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Query() query: ListQuery,
  ): Promise<ListPage<AccessLinkDto>> {
    return this.links.list(actor, id, query);
  }

  @Post()
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'createAccessLink',
    summary: 'Create a link with a token, with which a program sees every part of a private status page',
  })
  @RespondsWithCreated(NewAccessLinkDto)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey('token', 'url')
  async create(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() link: CreateAccessLinkDto,
  ): Promise<{ data: NewAccessLinkDto }> {
    return { data: await this.links.create(actor, id, link) };
  }

  @Delete(':link_id')
  @RequireScope('status_pages:write')
  @ApiOperation({
    operationId: 'deleteAccessLink',
    summary: 'Delete a link with a token; it ends immediately',
  })
  @RespondsWithNothing()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @UuidParam('link_id') linkId: string,
  ): Promise<void> {
    await this.links.delete(actor, id, linkId);
  }
}
