import { Module } from '@nestjs/common';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { ImportsService } from './imports.service.js';

@Module({
  imports: [MonitorsModule, StatusPagesModule],
  providers: [ImportsService],
  exports: [ImportsService],
})
export class ImportsModule {}
