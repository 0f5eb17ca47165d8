import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { BrandingModule } from '../branding/branding.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { EventsModule } from '../events/events.module.js';
import { IncidentDraftsModule } from '../incidents/drafts/incident-drafts.module.js';
import { IncidentsModule } from '../incidents/incidents.module.js';
import { IncidentTemplatesModule } from '../incidents/templates/incident-templates.module.js';
import { MaintenancesModule } from '../maintenances/maintenances.module.js';
import { PasskeysModule } from '../members/passkeys/passkeys.module.js';
import { SignInModule } from '../members/sign-in.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { HostCookiesModule } from '../platform/server/host-cookies.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { StatusesModule } from '../summaries/statuses/statuses.module.js';
import { AssetsController } from './assets.controller.js';
import { AccountController } from './account.controller.js';
import { ConsoleGuard } from './console.guard.js';
import { ConsoleSessions } from './console-session.js';
import { Deletions } from './deletions.js';
import { FreshLinks } from './fresh-links.js';
import { IncidentReader } from './incident-reader.js';
import { IncidentScreensController } from './incidents.controller.js';
import { MaintenanceReader } from './maintenance-reader.js';
import { MaintenanceScreensController } from './maintenances.controller.js';
import { MemberScreensController } from './members.controller.js';
import { MonitorScreensController } from './monitors.controller.js';
import { PageScreensController } from './pages.controller.js';
import { NewIncidentsController } from './new-incidents.controller.js';
import { NowController } from './now.controller.js';
import { NowService } from './now.service.js';
import { OwnMembers } from './own-members.js';
import { PreviewController } from './preview.controller.js';
import { ProjectContents } from './project-contents.js';
import { ProjectChoice } from './project-choice.js';
import { Publishing } from './publishing.js';
import { Saving } from './saving.js';
import { SignInOidcController } from './sign-in-oidc.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SignInScreen } from './sign-in-screen.js';
import { VisitorsViews } from './visitors-view.js';

/** The first screens of the console for members, and what all screens share. */
@Module({
  imports: [
    AccessModule,
    BrandingModule,
    DeliveriesModule,
    DomainDirectoryModule,
    EventsModule,
    HostCookiesModule,
    IncidentsModule,
    IncidentDraftsModule,
    IncidentTemplatesModule,
    IdempotencyModule,
    MaintenancesModule,
    MonitorsModule,
    PasskeysModule,
    ProjectsModule,
    SecretsModule,
    SignInModule,
    StatusPagesModule,
    StatusesModule,
  ],
  controllers: [
    AssetsController,
    SignInOidcController, // before the links, whose path includes its path
    SignInController,
    AccountController,
    MemberScreensController,
    NowController,
    NewIncidentsController,
    IncidentScreensController,
    MaintenanceScreensController,
    MonitorScreensController,
    PageScreensController,
    PreviewController,
  ],
  providers: [
    ConsoleGuard,
    ConsoleSessions,
    Deletions,
    FreshLinks,
    IncidentReader,
    MaintenanceReader,
    NowService,
    OwnMembers,
    ProjectChoice,
    ProjectContents,
    Publishing,
    Saving,
    SignInScreen,
    VisitorsViews,
  ],
  exports: [
    ConsoleGuard,
    ConsoleSessions,
    Deletions,
    HostCookiesModule,
    IncidentReader,
    OwnMembers,
    PasskeysModule,
    ProjectChoice,
    ProjectContents,
    Publishing,
    Saving,
    SignInModule,
    SignInScreen,
  ],
})
export class ManageModule {}
