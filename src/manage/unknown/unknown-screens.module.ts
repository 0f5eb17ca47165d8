import { Module } from '@nestjs/common';
import { ManageModule } from '../manage.module.js';
import { UnknownScreensController } from './unknown.controller.js';

/** The screen for all other addresses. Its module comes last, because Express tries the routes in the order of the modules. */
@Module({ imports: [ManageModule], controllers: [UnknownScreensController] })
export class UnknownScreensModule {}
