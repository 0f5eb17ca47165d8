import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeletedPagesController } from './deleted-pages.controller.js';
import { DeletedPagesRepository } from './deleted-pages.repository.js';
import { DeletedPagesService } from './deleted-pages.service.js';
import { DeletedStatusPage } from './deleted-status-page.entity.js';
import { PageVersion } from './page-version.entity.js';
import { Revision } from './revision.entity.js';
import { RevisionsCleanup } from './revisions-cleanup.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionsRepository } from './revisions.repository.js';
import { RevisionsService } from './revisions.service.js';
import { StatusPageChanges } from './status-page-changes.js';
import { MonitorRemoval } from './monitor-removal.js';
import { StatusPageWrites } from './status-page-writes.js';
import { StatusPagesController } from './status-pages.controller.js';
import { StatusPagesRepository } from './status-pages.repository.js';
import { StatusPagesService } from './status-pages.service.js';
import { VisiblePagesService } from './visible-pages.service.js';
import { StatusPage } from './status-page.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([StatusPage, PageVersion, Revision, DeletedStatusPage]),
    MonitorsModule,
    ProjectsModule,
  ],
  controllers: [StatusPagesController, RevisionsController, DeletedPagesController],
  providers: [
    StatusPagesService,
    StatusPagesRepository,
    StatusPageWrites,
    MonitorRemoval,
    StatusPageChanges,
    RevisionsService,
    RevisionsRepository,
    DeletedPagesService,
    DeletedPagesRepository,
    RevisionsCleanup,
    VisiblePagesService,
  ],
  exports: [StatusPagesService, DeletedPagesService, VisiblePagesService],
})
export class StatusPagesModule {}
