import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessModule } from './access/access.module.js';
import { AccessRoutesModule } from './visitors/entry-routes/access-routes.module.js';
import { AdminModule } from './platform/admin/admin.module.js';
import { ApiKeyGuard } from './platform/auth/api-key.guard.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { ScopeGuard } from './platform/auth/scope.guard.js';
import { BrandingModule } from './branding/branding.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { DaysModule } from './summaries/days/days.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { ForecastModule } from './deliveries/forecast.module.js';
import { DeliveryWorkerModule } from './deliveries/delivery-worker.module.js';
import { DryRunModule } from './platform/dry-run/dry-run.module.js';
import { DomainsModule } from './domains/domains.module.js';
import { DemoModule } from './demo/demo.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { ServerModule } from './platform/server/server.module.js';
import { InputGuard } from './platform/validation/input.guard.js';
import { ProblemFilter } from './platform/problems/problem.filter.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { IncidentsModule } from './incidents/incidents.module.js';
import { LoggingModule } from './platform/logging/logging.module.js';
import { MailModule } from './mail/mail.module.js';
import { SignInModule } from './members/sign-in.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MaintenancesModule } from './maintenances/maintenances.module.js';
import { IncidentTemplatesModule } from './incidents/templates/incident-templates.module.js';
import { ChecksModule } from './checks/checks.module.js';
import { IncidentDraftsModule } from './incidents/drafts/incident-drafts.module.js';
import { MonitorsModule } from './monitors/monitors.module.js';
import { OpenApiModule } from './platform/openapi/openapi.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { PreviewLinksModule } from './status-pages/preview-links/preview-links.module.js';
import { VisitorsModule } from './visitors/visitors.module.js';
import { BouncesModule } from './subscribers/bounces/bounces.module.js';
import { ReceiversModule } from './receivers/receivers.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { StatusesModule } from './summaries/statuses/statuses.module.js';
import { SummariesModule } from './summaries/summaries.module.js';
import { DeletedPagesModule } from './status-pages/deleted/deleted-pages.module.js';
import { RevisionsModule } from './status-pages/revisions/revisions.module.js';
import { SubscribersModule } from './subscribers/subscribers.module.js';
import { CheckRunsModule } from './checks/check-runs.module.js';
import { WebhookMessagesModule } from './webhooks/webhook-messages.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { StatusPagesModule } from './status-pages/status-pages.module.js';
import { TracingModule } from './platform/tracing/tracing.module.js';

/** Root module of the server. Add the module of a new resource here. */
@Module({
  imports: [
    ConfigModule,
    DiscoveryModule,
    LoggingModule.to(1),
    DatabaseModule.for('server'),
    StatusPagesModule, // first, because Express tries the routes in the order of the modules
    AuthModule,
    IdempotencyModule,
    DryRunModule,
    ApiKeysModule,
    ProjectsModule,
    EventsModule,
    DeliveriesModule,
    ForecastModule,
    MonitorsModule,
    ReportsModule,
    ReceiversModule,
    BouncesModule,
    RevisionsModule,
    DeletedPagesModule,
    BrandingModule,
    DomainsModule,
    IncidentsModule,
    MaintenancesModule,
    IncidentTemplatesModule,
    ChecksModule,
    IncidentDraftsModule,
    DaysModule,
    StatusesModule,
    SummariesModule,
    PreviewLinksModule,
    AccessModule,
    AccessRoutesModule,
    SubscribersModule,
    WebhooksModule,
    CheckRunsModule,
    WebhookMessagesModule,
    MailModule,
    DeliveryWorkerModule,
    VisitorsModule,
    ImportsModule,
    McpModule,
    SignInModule,
    HealthModule,
    OpenApiModule,
    ServerModule,
    AdminModule,
    TracingModule,
    DemoModule,
  ],
  providers: [
    // in the order of execution: 401, 403, then 415, 413 and 400
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class AppModule {}
