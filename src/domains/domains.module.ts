import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainChange } from './domain-change.entity.js';
import { DomainDirectory } from './domain-directory.js';
import { DomainSaver } from './domain-saver.js';
import { DomainsRepository } from './domains.repository.js';
import { PageUrls } from './page-urls.js';
import { StatusPageDomain } from './status-page-domain.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([StatusPageDomain, DomainChange])],
  providers: [DomainDirectory, DomainSaver, DomainsRepository, PageUrls],
  exports: [DomainDirectory, PageUrls],
})
export class DomainsModule {}
