import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { RevisionsModule } from '../revisions/revisions.module.js';
import { StatusPagesModule } from '../status-pages.module.js';
import { DeletedPagesController } from './deleted-pages.controller.js';
import { DeletedPagesRepository } from './deleted-pages.repository.js';
import { DeletedPagesService } from './deleted-pages.service.js';
import { DeletedStatusPage } from './deleted-status-page.entity.js';
import { PagesCleanup } from './pages-cleanup.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([DeletedStatusPage]),
    StatusPagesModule,
    RevisionsModule,
    MonitorsModule,
    ProjectsModule,
  ],
  controllers: [DeletedPagesController],
  providers: [DeletedPagesService, DeletedPagesRepository, PagesCleanup],
  exports: [DeletedPagesService, PagesCleanup],
})
export class DeletedPagesModule {}
