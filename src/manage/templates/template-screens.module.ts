import { Module } from '@nestjs/common';
import { IncidentTemplatesModule } from '../../incidents/templates/incident-templates.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ManageModule } from '../manage.module.js';
import { TemplateScreensController } from './templates.controller.js';

/** Screens of incident templates. */
@Module({
  imports: [ManageModule, IncidentTemplatesModule, MonitorsModule],
  controllers: [TemplateScreensController],
})
export class TemplateScreensModule {}
