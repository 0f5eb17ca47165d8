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
import { CreateWebhookEndpointDto } from './dto/create-webhook-endpoint.dto.js';
import { ListWebhookEndpointsQuery } from './dto/list-webhook-endpoints.query.js';
import { UpdateWebhookEndpointDto } from './dto/update-webhook-endpoint.dto.js';
import { NewWebhookEndpointDto, WebhookEndpointDto } from './dto/webhook-endpoint.dto.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the webhook endpoints of a project, newest first',
  })
  @RespondsWithList(WebhookEndpointDto)
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListWebhookEndpointsQuery,
  ): Promise<ListPage<WebhookEndpointDto>> {
    return this.endpoints.list(actor, query);
  }

  @Post()
  @RequireScope('webhooks:write')
  @ApiOperation({ operationId: 'createWebhookEndpoint', summary: 'Create a webhook endpoint in a project' })
  @RespondsWithCreated(NewWebhookEndpointDto, ({ id }) => `/v1/webhook-endpoints/${id}`)
  @RespondsWithProblems('not_found', 'conflict')
  @AcceptsIdempotencyKey('secret')
  async create(
    @CurrentActor() actor: Actor,
    @Body() endpoint: CreateWebhookEndpointDto,
  ): Promise<{ data: NewWebhookEndpointDto }> {
    return { data: await this.endpoints.create(actor, endpoint) };
  }

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({ operationId: 'getWebhookEndpoint', summary: 'Get a webhook endpoint, without its secret' })
  @RespondsWithOne(WebhookEndpointDto)
  async get(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<WebhookEndpointDto> }> {
    return { data: await this.endpoints.get(actor, id) };
  }

  @Patch(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'updateWebhookEndpoint',
    summary: 'Update a webhook endpoint; omitted fields keep their values',
  })
  @RespondsWithOne(WebhookEndpointDto)
  @AcceptsIfMatch()
  async update(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() patch: UpdateWebhookEndpointDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: RawJson<WebhookEndpointDto> }> {
    return { data: await this.endpoints.update(actor, id, patch, expected) };
  }

  @Delete(':id')
  @RequireScope('webhooks:write')
  @ApiOperation({ operationId: 'deleteWebhookEndpoint', summary: 'Delete a webhook endpoint' })
  @RespondsWithNothing()
  @AcceptsIfMatch()
  async delete(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    await this.endpoints.delete(actor, id, expected);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook endpoint; the former one signs as well for 24 hours',
  })
  @RespondsWithOne(NewWebhookEndpointDto)
  @AcceptsIfMatch()
  @AcceptsIdempotencyKey('secret')
  async rotateSecret(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<{ data: NewWebhookEndpointDto }> {
    return { data: await this.endpoints.rotateSecret(actor, id, expected) };
  }
}
