import { Module } from '@nestjs/common';
import { EmailAccessModule } from '../email/email-access.module.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { EmailEntryController } from './email-entry.controller.js';
import { OidcEntryController } from './oidc-entry.controller.js';

/**
 * The ways into private pages for visitors. Precedes all modules that import PublicPageModule, whose routes include all other paths.
 */
@Module({
  imports: [EmailAccessModule, OidcModule],
  controllers: [EmailEntryController, OidcEntryController],
})
export class AccessRoutesModule {}
