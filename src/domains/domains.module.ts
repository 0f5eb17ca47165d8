import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { AdminModule } from '../platform/admin/admin.module.js';
import { NetworkModule } from '../platform/network/network.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { ServerModule } from '../platform/server/server.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { CertificateDomains } from './certificate-domains.js';
import { ClaimsRepository } from './claims.repository.js';
import { DomainChange } from './domain-change.entity.js';
import { DomainChecks } from './domain-checks.js';
import { DomainDirectory } from './domain-directory.js';
import { DomainSaver } from './domain-saver.js';
import { DomainsController } from './domains.controller.js';
import { DomainsRepository } from './domains.repository.js';
import { DomainsService } from './domains.service.js';
import { PageUrls } from './page-urls.js';
import { RoutingController } from './routing.controller.js';
import { RoutingProbe } from './routing-probe.js';
import { RoutingToken } from './routing-token.js';
import { StatusPageDomain } from './status-page-domain.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([StatusPageDomain, DomainChange]),
    AdminModule,
    DeliveriesModule,
    NetworkModule,
    SecretsModule,
    ServerModule,
    StatusPagesModule,
  ],
  controllers: [DomainsController, RoutingController],
  providers: [
    CertificateDomains,
    ClaimsRepository,
    DomainChecks,
    DomainDirectory,
    DomainSaver,
    DomainsRepository,
    DomainsService,
    PageUrls,
    RoutingProbe,
    RoutingToken,
  ],
  exports: [DomainDirectory, PageUrls],
})
export class DomainsModule {}
