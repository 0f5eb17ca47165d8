import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { IncidentTemplatesModule } from '../incidents/templates/incident-templates.module.js';
import { MaintenancesModule } from '../maintenances/maintenances.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { SummariesModule } from '../summaries/summaries.module.js';
import { IncidentTools } from './incident-tools.js';
import { McpServer } from './mcp-server.js';
import { McpController } from './mcp.controller.js';
import { ToolCatalogue } from './tool-catalogue.js';
import { PageTools } from './page-tools.js';

@Module({
  imports: [
    EventsModule,
    IncidentsModule,
    IncidentTemplatesModule,
    MaintenancesModule,
    MonitorsModule,
    ProjectsModule,
    ReportsModule,
    StatusPagesModule,
    SummariesModule,
  ],
  controllers: [McpController],
  providers: [McpServer, ToolCatalogue, IncidentTools, PageTools],
})
export class McpModule {}
