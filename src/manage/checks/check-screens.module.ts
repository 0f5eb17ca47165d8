import { Module } from '@nestjs/common';
import { CheckRunsModule } from '../../checks/check-runs.module.js';
import { ChecksModule } from '../../checks/checks.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ManageModule } from '../manage.module.js';
import { CheckScreenController } from './check.controller.js';

/** Screens of a monitor's check. */
@Module({
  imports: [ManageModule, MonitorsModule, ChecksModule, CheckRunsModule],
  controllers: [CheckScreenController],
})
export class CheckScreensModule {}
