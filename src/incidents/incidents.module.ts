import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { Incident } from './incident.entity.js';
import { IncidentChanges } from './incident-changes.js';
import { IncidentImpact } from './incident-impact.entity.js';
import { IncidentImpactsRepository } from './incident-impacts.repository.js';
import { IncidentListsService } from './incident-lists.service.js';
import { IncidentReferencesRepository } from './incident-references.repository.js';
import { IncidentUpdate } from './incident-update.entity.js';
import { IncidentUpdatesController } from './incident-updates.controller.js';
import { IncidentUpdatesRepository } from './incident-updates.repository.js';
import { IncidentUpdatesService } from './incident-updates.service.js';
import { IncidentsController } from './incidents.controller.js';
import { IncidentsRepository } from './incidents.repository.js';
import { PreparedValues } from './prepared-values.js';
import { IncidentsService } from './incidents.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Incident, IncidentUpdate, IncidentImpact]),
    ProjectsModule,
    EventsModule,
    MonitorsModule,
    StatusPagesModule,
    DeletedPagesModule,
    ReportsModule,
  ],
  controllers: [IncidentsController, IncidentUpdatesController],
  providers: [
    PreparedValues,
    IncidentsService,
    IncidentUpdatesService,
    IncidentListsService,
    IncidentChanges,
    IncidentsRepository,
    IncidentReferencesRepository,
    IncidentUpdatesRepository,
    IncidentImpactsRepository,
  ],
  exports: [PreparedValues, IncidentsService, IncidentUpdatesService, IncidentListsService],
})
export class IncidentsModule {}
