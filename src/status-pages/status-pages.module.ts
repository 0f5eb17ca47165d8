import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { FormerSlug } from './former-slug.entity.js';
import { MonitorRemovalRepository } from './monitor-removal.repository.js';
import { MonitorRemoval } from './monitor-removal.js';
import { PageLookupRepository } from './page-lookup.repository.js';
import { PageLookupService } from './page-lookup.service.js';
import { PageWarnings } from './page-warnings.js';
import { PageVersion } from './page-version.entity.js';
import { StatusPage } from './status-page.entity.js';
import { StatusPagesController } from './status-pages.controller.js';
import { StatusPagesRepository } from './status-pages.repository.js';
import { StatusPagesService } from './status-pages.service.js';
import { UniqueValues } from './unique-values.js';
import { UniqueValuesRepository } from './unique-values.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([StatusPage, PageVersion, FormerSlug]), MonitorsModule, ProjectsModule],
  controllers: [StatusPagesController],
  providers: [
    StatusPagesService,
    StatusPagesRepository,
    UniqueValues,
    UniqueValuesRepository,
    MonitorRemoval,
    MonitorRemovalRepository,
    PageLookupRepository,
    PageLookupService,
    PageWarnings,
  ],
  // `revisions/` and `deleted/` use the repository, because they are parts of this resource.
  exports: [
    StatusPagesService,
    MonitorRemoval,
    PageLookupService,
    StatusPagesRepository,
    UniqueValues,
    UniqueValuesRepository,
  ],
})
export class StatusPagesModule {}
