import { Module } from '@nestjs/common';
import { DaysModule } from '../../days/days.module.js';
import { IncidentsModule } from '../../incidents/incidents.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { StatusesModule } from '../../statuses/statuses.module.js';
import { SummariesModule } from '../../summaries/summaries.module.js';
import { HistoryReader } from '../data/history-reader.service.js';
import { PageReader } from '../data/page-reader.service.js';
import { PublicPagesService } from './public-pages.service.js';
import { RenderThreads } from './render-threads.js';

/** Renders pages, without routes and a cache: for the server and the command line. */
@Module({
  imports: [
    StatusPagesModule,
    MonitorsModule,
    ReportsModule,
    DaysModule,
    IncidentsModule,
    MaintenancesModule,
    StatusesModule,
    SummariesModule,
  ],
  providers: [PublicPagesService, RenderThreads, PageReader, HistoryReader],
  exports: [PublicPagesService, PageReader, HistoryReader],
})
export class RenderingModule {}
