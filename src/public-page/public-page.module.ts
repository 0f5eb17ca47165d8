import { Module } from '@nestjs/common';
import { PreviewLinksModule } from '../preview-links/preview-links.module.js';
import { ServerModule } from '../server/server.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { CachedVisits } from './cache/cached-visits.js';
import { KeptCopies } from './cache/kept-copies.js';
import { Outage } from './cache/outage.js';
import { PageCache } from './cache/page-cache.js';
import { PageVersions } from './cache/page-versions.js';
import { RenderingModule } from './rendering/rendering.module.js';
import { Previews } from './routes/previews.js';
import { PublicPageController } from './routes/public-page.controller.js';
import { VisitorsService } from './routes/visitors.service.js';

@Module({
  imports: [RenderingModule, StatusPagesModule, PreviewLinksModule, ServerModule],
  controllers: [PublicPageController],
  providers: [PageCache, PageVersions, CachedVisits, KeptCopies, Outage, Previews, VisitorsService],
  exports: [PageCache],
})
export class PublicPageModule {}
