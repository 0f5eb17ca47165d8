import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { DemoModule } from '../demo/demo.module.js';
import { IdempotencyModule } from '../platform/idempotency/idempotency.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { LoggingModule } from '../platform/logging/logging.module.js';
import { MembersModule } from '../members/members.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ExportModule } from '../page-documents/export/export.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { SubscribersModule } from '../subscribers/subscribers.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';

/** Modules that the commands use: the modules of the server, without HTTP. */
@Module({
  imports: [
    ConfigModule,
    LoggingModule.to(2),
    DatabaseModule.for('client'),
    IdempotencyModule,
    OrganizationsModule,
    ProjectsModule,
    MembersModule,
    MonitorsModule,
    ApiKeysModule,
    ImportsModule,
    StatusPagesModule,
    SubscribersModule,
    ExportModule,
    DemoModule,
    SecretsModule,
  ],
})
export class CliModule {}
