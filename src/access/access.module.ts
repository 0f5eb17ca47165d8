import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { PasswordsModule } from '../platform/auth/passwords.module.js';
import { NetworkModule } from '../platform/network/network.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { HostCookiesModule } from '../platform/server/host-cookies.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { AccessController } from './access.controller.js';
import { AccessLink } from './access-link.entity.js';
import { AccessLinksController } from './access-links.controller.js';
import { AccessLinksRepository } from './access-links.repository.js';
import { AccessLinksService } from './access-links.service.js';
import { AccessRulesModule } from './access-rules.module.js';
import { AccessService } from './access.service.js';
import { PageSessions } from './page-sessions.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AccessLink]),
    AccessRulesModule,
    SecretsModule,
    HostCookiesModule,
    NetworkModule,
    PasswordsModule,
    DomainDirectoryModule,
    StatusPagesModule,
  ],
  controllers: [AccessController, AccessLinksController],
  providers: [AccessLinksRepository, AccessLinksService, AccessService, PageSessions],
  exports: [AccessRulesModule, AccessLinksService, AccessService, PageSessions],
})
export class AccessModule {}
