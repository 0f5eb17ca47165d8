import { Module } from '@nestjs/common';
import { AdminModule } from '../platform/admin/admin.module.js';
import { NetworkModule } from '../platform/network/network.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { ServerModule } from '../platform/server/server.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { CertificateDomains } from './certificate-domains.js';
import { ClaimsRepository } from './claims.repository.js';
import { DomainChecks } from './domain-checks.js';
import { DomainDirectoryModule } from './domain-directory.module.js';
import { DomainSaver } from './domain-saver.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';
import { RoutingController } from './routing.controller.js';
import { RoutingProbe } from './routing-probe.js';
import { RoutingToken } from './routing-token.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';

/** Claims of domains, and their checks. */
@Module({
  imports: [
    AdminModule,
    DomainDirectoryModule,
    NetworkModule,
    SecretsModule,
    ServerModule,
    StatusPagesModule,
    TasksModule,
  ],
  controllers: [DomainsController, RoutingController],
  providers: [
    CertificateDomains,
    ClaimsRepository,
    DomainChecks,
    DomainSaver,
    DomainsService,
    RoutingProbe,
    RoutingToken,
  ],
  exports: [DomainsService],
})
export class DomainsModule {}
