import { Module } from '@nestjs/common';
import { NetworkGuard } from './network-guard.js';
import { WebhookSender } from './webhook-sender.js';

/** Requests to webhook endpoints. */
@Module({ providers: [NetworkGuard, WebhookSender], exports: [NetworkGuard, WebhookSender] })
export class OutboundModule {}
