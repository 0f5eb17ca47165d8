import { Module } from '@nestjs/common';
import { BrandingModule } from '../../branding/branding.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { DomainDirectoryModule } from '../../domains/domain-directory.module.js';
import { EventsModule } from '../../events/events.module.js';
import { IncidentsModule } from '../../incidents/incidents.module.js';
import { IncidentDraftsModule } from '../../incidents/drafts/incident-drafts.module.js';
import { MaintenancesModule } from '../../maintenances/maintenances.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { ChatMessages } from './chat-messages.service.js';
import { EventContents } from './event-content.service.js';
import { WebhookWriter } from './webhook-writer.js';

/** Bodies of events in the format of each endpoint. */
@Module({
  imports: [
    DomainDirectoryModule,
    EventsModule,
    IncidentsModule,
    IncidentDraftsModule,
    MaintenancesModule,
    MonitorsModule,
    StatusPagesModule,
    ProjectsModule,
    BrandingModule,
    DeliveriesModule,
  ],
  providers: [WebhookWriter, EventContents, ChatMessages],
  exports: [WebhookWriter, EventContents],
})
export class WebhookContentModule {}
