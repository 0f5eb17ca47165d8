import { Module } from '@nestjs/common';
import { BrandingModule } from '../../branding/branding.module.js';
import { DaysModule } from '../../summaries/days/days.module.js';
import { ShownIncidentsModule } from '../../incidents/shown/shown-incidents.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { ResponseTimesModule } from '../../reports/response-times/response-times.module.js';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { StatusesModule } from '../../summaries/statuses/statuses.module.js';
import { SummariesModule } from '../../summaries/summaries.module.js';
import { HistoryReader } from '../../page-model/history-reader.service.js';
import { PageReader } from '../../page-model/page-reader.service.js';
import { PageRenderer } from './page-renderer.service.js';
import { Pictures } from './pictures.js';
import { RenderThreads } from './render-threads.js';

/** Renders pages without routes and a cache, for the server and the CLI. */
@Module({
  imports: [
    StatusPagesModule,
    BrandingModule,
    MonitorsModule,
    ReportsModule,
    ResponseTimesModule,
    DaysModule,
    ShownIncidentsModule,
    MaintenancesModule,
    StatusesModule,
    SummariesModule,
  ],
  providers: [PageRenderer, RenderThreads, Pictures, PageReader, HistoryReader],
  exports: [PageRenderer, PageReader, HistoryReader],
})
export class RenderingModule {}
