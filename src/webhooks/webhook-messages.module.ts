import { Module } from '@nestjs/common';
import { ServerModule } from '../platform/server/server.module.js';
import { WebhookContentModule } from './content/webhook-content.module.js';
import { MessageLimits } from './message-limits.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { WebhookMessagesController } from './webhook-messages.controller.js';
import { WebhookTestsService } from './webhook-tests.service.js';
import { WebhooksModule } from './webhooks.module.js';

/** Tests and replays. Imported only by the server, because their limits count requests. */
@Module({
  imports: [WebhooksModule, WebhookContentModule, OutboundModule, ServerModule],
  controllers: [WebhookMessagesController],
  providers: [WebhookTestsService, MessageLimits],
  exports: [WebhookTestsService, MessageLimits],
})
export class WebhookMessagesModule {}
