import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { AccessRepository } from './access.repository.js';
import { AccessRulesService } from './access-rules.service.js';
import { StatusPageAccess } from './status-page-access.entity.js';

/** Rules of who may see private status pages, without routes. */
@Module({
  imports: [TypeOrmModule.forFeature([StatusPageAccess]), StatusPagesModule],
  providers: [AccessRepository, AccessRulesService],
  exports: [AccessRepository, AccessRulesService],
})
export class AccessRulesModule {}
