import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { BrandingController } from './branding.controller.js';
import { BrandingRepository } from './branding.repository.js';
import { BrandingService } from './branding.service.js';
import { StatusPageBranding } from './status-page-branding.entity.js';
import { StatusPageImage } from './status-page-image.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([StatusPageBranding, StatusPageImage]), StatusPagesModule],
  controllers: [BrandingController],
  providers: [BrandingService, BrandingRepository],
  exports: [BrandingService],
})
export class BrandingModule {}
