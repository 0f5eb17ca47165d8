import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
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
import { CreateSubscriberDto } from './dto/create-subscriber.dto.js';
import { ListSubscribersQuery } from './dto/list-subscribers.query.js';
import { SubscriberDto } from './dto/subscriber.dto.js';
import { CreateSubscriberBatchDto, SubscriberBatchResultDto } from './dto/subscriber-batch.dto.js';
import { UpdateSubscriberDto } from './dto/update-subscriber.dto.js';
import { SubscribersService } from './subscribers.service.js';

@ApiTags('Subscribers')
@Controller('v1/subscribers')
export class SubscribersController {
  constructor(private readonly subscribers: SubscribersService) {}

  @Get()
  @RequireScope('subscribers:read')
  @ApiOperation({
    operationId: 'listSubscribers',
    summary: 'List the subscribers of a status page, newest first',
  })
  @RespondsWithList(SubscriberDto)
  @RespondsWithProblems('not_found')
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListSubscribersQuery,
  ): Promise<ListPage<SubscriberDto>> {
    return this.subscribers.list(actor, query);
  }

  @Post()
  @RequireScope('subscribers:write')
  @ApiOperation({ operationId: 'createSubscriber', summary: 'Add a subscriber to a status page' })
  @RespondsWithCreated(SubscriberDto, ({ id }) => `/v1/subscribers/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async create(
    @CurrentActor() actor: Actor,
    @Body() subscriber: CreateSubscriberDto,
  ): Promise<{ data: SubscriberDto }> {
    return { data: await this.subscribers.create(actor, subscriber) };
  }

  @Post('batch')
  @HttpCode(200)
  @RequireScope('subscribers:write')
  @ApiOperation({
    operationId: 'createSubscriberBatch',
    summary: 'Add up to 1,000 subscribers to a status page, all or none',
  })
  @RespondsWithOne(SubscriberBatchResultDto)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey()
  async createBatch(
    @CurrentActor() actor: Actor,
    @Body() batch: CreateSubscriberBatchDto,
  ): Promise<{ data: SubscriberBatchResultDto }> {
    return { data: await this.subscribers.createBatch(actor, batch) };
  }

  @Get(':id')
  @RequireScope('subscribers:read')
  @ApiOperation({ operationId: 'getSubscriber', summary: 'Get a subscriber' })
  @RespondsWithOne(SubscriberDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<SubscriberDto> }> {
    return { data: await this.subscribers.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('subscribers:write')
  @ApiOperation({
    operationId: 'updateSubscriber',
    summary: 'Update a subscriber; omitted fields keep their values',
  })
  @RespondsWithOne(SubscriberDto)
  @RespondsWithProblems('conflict')
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateSubscriberDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<SubscriberDto> }> {
    return { data: await this.subscribers.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('subscribers:write')
  @ApiOperation({ operationId: 'deleteSubscriber', summary: 'Unsubscribe an address, and erase it' })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.subscribers.delete(actor, id, expected);
  }
}
