import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StatusPagesModule } from '../status-pages.module.js';
import { PreviewLink } from './preview-link.entity.js';
import { PreviewLinksController } from './preview-links.controller.js';
import { PreviewLinksRepository } from './preview-links.repository.js';
import { PreviewLinksService } from './preview-links.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([PreviewLink]), StatusPagesModule],
  controllers: [PreviewLinksController],
  providers: [PreviewLinksService, PreviewLinksRepository],
  exports: [PreviewLinksService],
})
export class PreviewLinksModule {}
