import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { EndpointDelivery } from '../deliveries/endpoint-deliveries.repository.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RespondsWithList, RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { ListWebhookDeliveriesQuery, WebhookDeliveryDto } from './dto/webhook-delivery.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';

@ApiTags('Webhook deliveries')
@Controller('v1/deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: 'List the deliveries to a webhook endpoint, newest first',
  })
  @RespondsWithList(WebhookDeliveryDto)
  @RespondsWithProblems('not_found')
  async list(
    @CurrentActor() actor: Actor,
    @Query() query: ListWebhookDeliveriesQuery,
  ): Promise<ListPage<EndpointDelivery>> {
    return this.deliveries.list(actor, query);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'retryDelivery',
    summary: 'Send a delivery again, whether it was delivered or not',
  })
  @RespondsWithOne(WebhookDeliveryDto)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async retry(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
  ): Promise<{ data: RawJson<EndpointDelivery> }> {
    return { data: await this.deliveries.retry(actor, id) };
  }
}
