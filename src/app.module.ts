import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ScopeGuard } from './auth/scope.guard.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { HealthModule } from './health/health.module.js';
import { ServerModule } from './server/server.module.js';
import { InputGuard } from './validation/input.guard.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { ImportsModule } from './imports/imports.module.js';
import { LoggingModule } from './logging/logging.module.js';
import { MonitorsModule } from './monitors/monitors.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { StatusPagesModule } from './status-pages/status-pages.module.js';

/** The server. A new resource is one more module here. */
@Module({
  imports: [
    ConfigModule,
    DiscoveryModule,
    LoggingModule.to(1),
    DatabaseModule.for('server'),
    AuthModule,
    ApiKeysModule,
    ProjectsModule,
    MonitorsModule,
    StatusPagesModule,
    ImportsModule,
    HealthModule,
    OpenApiModule,
    ServerModule,
    DemoModule,
  ],
  providers: [
    // In the order in which a request meets them: 401, 403, then 415, 413 and 400.
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: ScopeGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class AppModule {}
