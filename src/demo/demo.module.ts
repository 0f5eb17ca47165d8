import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { BrandingModule } from '../branding/branding.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { MaintenancesModule } from '../maintenances/maintenances.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { ResponseTimesModule } from '../reports/response-times/response-times.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { MembersModule } from '../members/members.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { SubscribersModule } from '../subscribers/subscribers.module.js';
import { IncidentTemplatesModule } from '../incidents/templates/incident-templates.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ChecksModule } from '../checks/checks.module.js';
import { IncidentDraftsModule } from '../incidents/drafts/incident-drafts.module.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [
    // modules whose resources the demo contains
    OrganizationsModule,
    ProjectsModule,
    MonitorsModule,
    StatusPagesModule,
    DeletedPagesModule,
    BrandingModule,
    AccessModule,
    ReportsModule,
    ResponseTimesModule,
    IncidentsModule,
    MaintenancesModule,
    IncidentTemplatesModule,
    SubscribersModule,
    WebhooksModule,
    DeliveriesModule,
    EventsModule,
    MembersModule,
    ChecksModule,
    IncidentDraftsModule,
    ApiKeysModule,
  ],
  providers: [DemoService],
  exports: [DemoService],
})
export class DemoModule {}
