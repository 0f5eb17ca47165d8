import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ManageModule } from '../manage.module.js';
import { KeyScreensController } from './keys.controller.js';

/** Screens of API keys. */
@Module({ imports: [ManageModule, ApiKeysModule], controllers: [KeyScreensController] })
export class KeyScreensModule {}
