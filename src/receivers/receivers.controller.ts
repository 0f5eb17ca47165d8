import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { AcceptsBasic, RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import { RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { ReportsResultDto } from '../reports/dto/reports-result.dto.js';
import { MAX_BODY_BYTES, TakesFile } from '../platform/validation/body.js';
import { MAX_ALERTS } from './alertmanager.js';
import { AlertmanagerQuery } from './dto/alertmanager.query.js';
import { DeliveryResultDto } from './dto/delivery-result.dto.js';
import { PushQuery } from './dto/push.query.js';
import { ReceiversService } from './receivers.service.js';

const EXAMPLE_DELIVERY = {
  version: '4',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'ProbeFailed', monitor_id: EXAMPLE_IDS.monitor },
      startsAt: '2026-11-20T12:00:00.000Z',
      endsAt: '0001-01-01T00:00:00Z',
    },
  ],
};

@ApiTags('Receivers')
@Controller('v1/receivers')
export class ReceiversController {
  constructor(private readonly receivers: ReceiversService) {}

  @Post('alertmanager')
  @HttpCode(200)
  @AcceptsBasic()
  @RequireScope('monitor_reports:write')
  @ApiOperation({
    operationId: 'receiveAlertmanager',
    summary: 'Receive a webhook from Prometheus Alertmanager',
    description:
      'A firing alert sets the status of a monitor from `startsAt` on. A resolved alert ends this status at `endsAt`. If several alerts fire for a monitor, the worst status applies. Alerts that have neither of the labels in `label` and `key_label` are skipped. Alerts that identify no monitor of the project are ignored and counted in the response. If all alerts that are not skipped are ignored, the request fails with 400, and `errors` lists them. The operation reads only `status`, `labels`, `startsAt` and `endsAt` of each alert and ignores all other fields.',
  })
  @TakesFile(
    ['application/json'],
    `Alertmanager webhook payload (version 4) with at most ${MAX_ALERTS} alerts.`,
    EXAMPLE_DELIVERY,
    MAX_BODY_BYTES,
  )
  @RespondsWithOne(DeliveryResultDto)
  @RespondsWithProblems('malformed_json')
  @AcceptsIdempotencyKey()
  async alertmanager(
    @CurrentActor('receiver') actor: Actor,
    @Query() query: AlertmanagerQuery,
    @Body() delivery: Uint8Array,
  ): Promise<{ data: DeliveryResultDto }> {
    return { data: await this.receivers.receiveAlerts(actor, query, delivery) };
  }

  @Get('push')
  @AcceptsBasic()
  @RequireScope('monitor_reports:write')
  @ApiOperation({
    operationId: 'pushByGet',
    summary: 'Report the current status of a monitor, for clients that can only send GET',
    description: 'GET records a report, like POST. HEAD validates the request but records nothing.',
  })
  @RespondsWithOne(ReportsResultDto)
  async pushByGet(
    @CurrentActor('receiver') actor: Actor,
    @Query() query: PushQuery,
    @Req() { method }: Request,
  ): Promise<{ data: ReportsResultDto }> {
    const isHead = method === 'HEAD';
    return {
      data: await (isHead ? this.receivers.checkPush(actor, query) : this.receivers.push(actor, query)),
    };
  }

  @Post('push')
  @HttpCode(200)
  @AcceptsBasic()
  @RequireScope('monitor_reports:write')
  @ApiOperation({
    operationId: 'push',
    summary: 'Report the current status of a monitor',
    description:
      'The monitor is identified by `monitor_id`, or by `project_id` and `monitor_key`. The request body is ignored.',
  })
  @RespondsWithOne(ReportsResultDto)
  @AcceptsIdempotencyKey()
  async push(
    @CurrentActor('receiver') actor: Actor,
    @Query() query: PushQuery,
  ): Promise<{ data: ReportsResultDto }> {
    return { data: await this.receivers.push(actor, query) };
  }
}
