import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module.js';
import { BrandingModule } from '../../branding/branding.module.js';
import { DomainDirectoryModule } from '../../domains/domain-directory.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { ServerModule } from '../../platform/server/server.module.js';
import { PreviewLinksModule } from '../../status-pages/preview-links/preview-links.module.js';
import { RevisionsModule } from '../../status-pages/revisions/revisions.module.js';
import { StatusPagesModule } from '../../status-pages/status-pages.module.js';
import { ManageModule } from '../manage.module.js';
import { PageAccessController } from './access.controller.js';
import { PageDomainController } from './domain.controller.js';
import { PageHistoryController } from './history.controller.js';
import { PageLinksController } from './links.controller.js';
import { PageOidcController } from './oidc.controller.js';
import { PageChanges } from './page-changes.js';
import { PageReader } from './page-reader.js';
import { PagePreviewController } from './preview.controller.js';
import { PageBrandingController } from './branding.controller.js';
import { PageSectionsController } from './sections.controller.js';
import { PageSettingsController } from './settings.controller.js';

/** Screens of one status page. */
@Module({
  imports: [
    ManageModule,
    AccessModule,
    BrandingModule,
    DomainDirectoryModule,
    DomainsModule,
    PreviewLinksModule,
    RevisionsModule,
    ServerModule,
    StatusPagesModule,
  ],
  controllers: [
    PageSettingsController,
    PageAccessController,
    PageLinksController,
    PageOidcController,
    PagePreviewController,
    PageDomainController,
    PageSectionsController,
    PageBrandingController,
    PageHistoryController,
  ],
  providers: [PageChanges, PageReader],
})
export class PageScreensModule {}
