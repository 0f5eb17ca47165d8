import { Module } from '@nestjs/common';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { SubscribersModule } from '../../subscribers/subscribers.module.js';
import { ManageModule } from '../manage.module.js';
import { SubscriberImportController } from './import.controller.js';
import { SubscriberScreensController } from './subscribers.controller.js';

/** Screens of subscribers. */
@Module({
  imports: [ManageModule, StatusPagesModule, SubscribersModule],
  controllers: [SubscriberImportController, SubscriberScreensController],
})
export class SubscriberScreensModule {}
