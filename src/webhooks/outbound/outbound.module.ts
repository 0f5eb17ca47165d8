import { Module } from '@nestjs/common';
import { NetworkModule } from '../../platform/network/network.module.js';
import { WebhookSender } from './webhook-sender.js';

/** Requests to webhook endpoints. */
@Module({ imports: [NetworkModule], providers: [WebhookSender], exports: [NetworkModule, WebhookSender] })
export class OutboundModule {}
