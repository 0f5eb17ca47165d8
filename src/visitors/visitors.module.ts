import { Module } from '@nestjs/common';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { AccessModule } from '../access/access.module.js';
import { PreviewLinksModule } from '../status-pages/preview-links/preview-links.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { ServerModule } from '../platform/server/server.module.js';
import { SubscribersModule } from '../subscribers/subscribers.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { CacheHits } from './cache/cache-hits.js';
import { SavedCopies } from './cache/saved-copies.js';
import { Outage } from './cache/outage.js';
import { DocumentCacheMetrics } from './cache/document-cache-metrics.js';
import { DocumentCache } from './cache/document-cache.js';
import { PageVersions } from './cache/page-versions.js';
import { Sites } from './cache/sites.js';
import { VisitorTurns } from './cache/visitor-turns.js';
import { Redirects } from './cache/redirects.js';
import { RenderingModule } from '../page-documents/rendering/rendering.module.js';
import { FormerSlugs } from './routes/former-slugs.js';
import { Gate } from './routes/gate.js';
import { Previews } from './routes/previews.js';
import { PrivatePages } from './routes/private-pages.js';
import { PublicPageController } from './routes/public-page.controller.js';
import { PageResponder } from './routes/page-responder.js';
import { SubscribeController } from './routes/subscribe.controller.js';
import { UncachedPages } from './routes/uncached-pages.js';
import { VisitorLimits } from './routes/visitor-limits.js';
import { VisitorPlaces } from './routes/visitor-places.js';
import { VisitorTokens } from './routes/visitor-tokens.js';
import { SubscriptionFlow } from './routes/subscription-flow.js';
import { SubscriptionLinks } from './routes/subscription-links.js';

@Module({
  imports: [
    DomainDirectoryModule,
    RenderingModule,
    StatusPagesModule,
    PreviewLinksModule,
    AccessModule,
    SubscribersModule,
    ServerModule,
    MetricsModule,
  ],
  controllers: [SubscribeController, PublicPageController],
  providers: [
    DocumentCache,
    DocumentCacheMetrics,
    PageVersions,
    CacheHits,
    Redirects,
    Sites,
    SavedCopies,
    Outage,
    FormerSlugs,
    Previews,
    Gate,
    PrivatePages,
    PageResponder,
    UncachedPages,
    VisitorLimits,
    VisitorPlaces,
    VisitorTokens,
    VisitorTurns,
    SubscriptionFlow,
    SubscriptionLinks,
  ],
  exports: [Gate, PageResponder, UncachedPages, VisitorLimits, VisitorTokens],
})
export class VisitorsModule {}
