import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../../events/events.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ReportsModule } from '../../reports/reports.module.js';
import { IncidentsModule } from '../incidents.module.js';
import { IncidentTemplatesModule } from '../templates/incident-templates.module.js';
import { IncidentDraft } from './incident-draft.entity.js';
import { IncidentDraftsController } from './incident-drafts.controller.js';
import { IncidentDraftsRepository } from './incident-drafts.repository.js';
import { IncidentDraftsService } from './incident-drafts.service.js';
import { ProposedDrafts } from './proposed-drafts.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([IncidentDraft]),
    EventsModule,
    IncidentsModule,
    IncidentTemplatesModule,
    MonitorsModule,
    ProjectsModule,
    ReportsModule,
  ],
  controllers: [IncidentDraftsController],
  providers: [IncidentDraftsService, IncidentDraftsRepository, ProposedDrafts],
  exports: [IncidentDraftsService],
})
export class IncidentDraftsModule {}
