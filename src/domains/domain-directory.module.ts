import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainChange } from './domain-change.entity.js';
import { DomainDirectory } from './domain-directory.js';
import { DomainsRepository } from './domains.repository.js';
import { PageUrls } from './page-urls.js';
import { StatusPageDomain } from './status-page-domain.entity.js';

/** The verified domains, for modules that need the URLs of status pages, also in the command line. */
@Module({
  imports: [TypeOrmModule.forFeature([StatusPageDomain, DomainChange])],
  providers: [DomainDirectory, DomainsRepository, PageUrls],
  exports: [DomainDirectory, PageUrls],
})
export class DomainDirectoryModule {}
