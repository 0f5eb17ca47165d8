import { Module } from '@nestjs/common';
import { IncidentDraftsModule } from '../../incidents/drafts/incident-drafts.module.js';
import { ManageModule } from '../manage.module.js';
import { DraftScreensController } from './drafts.controller.js';

/** Screens of incident drafts. */
@Module({ imports: [ManageModule, IncidentDraftsModule], controllers: [DraftScreensController] })
export class DraftScreensModule {}
