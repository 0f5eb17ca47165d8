import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { AccessEmailToken } from './access-email-token.entity.js';
import { AccessLink } from './access-link.entity.js';
import { AccessRepository } from './access.repository.js';
import { AccessRulesService } from './access-rules.service.js';
import { PageSessions } from './page-sessions.js';
import { StatusPageAccess } from './status-page-access.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([StatusPageAccess, AccessLink, AccessEmailToken]),
    SecretsModule,
    StatusPagesModule,
  ],
  providers: [AccessRepository, AccessRulesService, PageSessions],
  exports: [AccessRulesService, PageSessions],
})
export class AccessModule {}
