import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { ExcludesDryRun } from '../platform/dry-run/excludes-dry-run.js';
import { UuidParam } from '../platform/validation/uuid.js';
import { ReplayWebhookEndpointDto, WebhookReplayDto } from './dto/replay-webhook-endpoint.dto.js';
import { WebhookTestDto } from './dto/webhook-delivery.dto.js';
import { MessageLimits } from './message-limits.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookTestsService } from './webhook-tests.service.js';

@ApiTags('Webhook endpoints')
@Controller('v1/webhook-endpoints/:id')
export class WebhookMessagesController {
  constructor(
    private readonly deliveries: WebhookDeliveriesService,
    private readonly tests: WebhookTestsService,
    private readonly limits: MessageLimits,
  ) {}

  @Post('test')
  @HttpCode(200)
  @ExcludesDryRun('The operation only sends a message')
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a `webhook.test` to a webhook endpoint, and get its response',
    description:
      'The response is 200 even if the webhook endpoint has failed. At most 10 tests of a webhook endpoint and 60 of an organization per minute.',
  })
  @RespondsWithOne(WebhookTestDto)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async test(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Req() request: Request,
  ): Promise<{ data: WebhookTestDto }> {
    return { data: await this.tests.send(actor, id, (work) => withoutTurn(request, work)) };
  }

  @Post('replay')
  @HttpCode(200)
  @RequireScope('webhooks:write')
  @ApiOperation({
    operationId: 'replayWebhookEndpoint',
    summary: 'Send all events since a time again to a webhook endpoint, at most 10,000',
    description: 'At most 10 replays of an organization per minute.',
  })
  @RespondsWithOne(WebhookReplayDto)
  @RespondsWithProblems('conflict')
  @AcceptsIdempotencyKey()
  async replay(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @Body() { since }: ReplayWebhookEndpointDto,
  ): Promise<{ data: WebhookReplayDto }> {
    await this.limits.countReplay(actor.organization_id);
    return { data: { since, deliveries: await this.deliveries.replay(actor, id, since) } };
  }
}
