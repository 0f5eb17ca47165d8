import { Module } from '@nestjs/common';
import { WebhookMessagesModule } from '../../webhooks/webhook-messages.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { ManageModule } from '../manage.module.js';
import { WebhookMessageScreensController } from './webhook-messages.controller.js';
import { WebhookReader } from './webhook-reader.js';
import { WebhookScreensController } from './webhooks.controller.js';

/** Screens of webhooks. */
@Module({
  imports: [ManageModule, WebhooksModule, WebhookMessagesModule],
  controllers: [WebhookScreensController, WebhookMessageScreensController],
  providers: [WebhookReader],
})
export class WebhookScreensModule {}
