import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { BrandingArchiveRepository } from './branding-archive.repository.js';
import { BrandingController } from './branding.controller.js';
import { BrandingRepository } from './branding.repository.js';
import { BrandingService } from './branding.service.js';
import { ImageReader } from './images/image-reader.js';
import { SVG_LIMITS, SvgThreads } from './images/svg-threads.js';
import { ImagesController } from './images.controller.js';
import { ImagesRepository } from './images.repository.js';
import { StatusPageBranding } from './status-page-branding.entity.js';
import { StatusPageImage } from './status-page-image.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([StatusPageBranding, StatusPageImage]),
    DomainDirectoryModule,
    StatusPagesModule,
    DeletedPagesModule,
  ],
  controllers: [BrandingController, ImagesController],
  providers: [
    BrandingService,
    BrandingRepository,
    ImagesRepository,
    ImageReader,
    { provide: SvgThreads, useFactory: () => new SvgThreads(SVG_LIMITS) },
    BrandingArchiveRepository,
  ],
  exports: [BrandingService],
})
export class BrandingModule {}
