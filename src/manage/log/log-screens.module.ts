import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { EventsModule } from '../../events/events.module.js';
import { ManageModule } from '../manage.module.js';
import { LogScreensController } from './log.controller.js';

/** Screen of the log. */
@Module({ imports: [ManageModule, EventsModule, ApiKeysModule], controllers: [LogScreensController] })
export class LogScreensModule {}
