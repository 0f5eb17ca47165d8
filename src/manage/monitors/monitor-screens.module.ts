import { Module } from '@nestjs/common';
import { IncidentTemplatesModule } from '../../incidents/templates/incident-templates.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ManageModule } from '../manage.module.js';
import { MonitorScreenController } from './monitor.controller.js';

/** Screens of one monitor. */
@Module({
  imports: [ManageModule, IncidentTemplatesModule, MonitorsModule],
  controllers: [MonitorScreenController],
})
export class MonitorScreensModule {}
