import { Module } from '@nestjs/common';
import { BrandingModule } from '../../branding/branding.module.js';
import { IncidentsModule } from '../../incidents/incidents.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { ManageModule } from '../manage.module.js';
import { ListScreensController } from './lists.controller.js';

/** The lists of all incidents and maintenance windows. */
@Module({
  imports: [BrandingModule, IncidentsModule, MaintenancesModule, ManageModule, StatusPagesModule],
  controllers: [ListScreensController],
})
export class ListScreensModule {}
