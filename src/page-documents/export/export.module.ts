import { Module } from '@nestjs/common';
import { RenderingModule } from '../rendering/rendering.module.js';
import { PageExport } from './page-export.service.js';

@Module({ imports: [RenderingModule], providers: [PageExport], exports: [PageExport] })
export class ExportModule {}
