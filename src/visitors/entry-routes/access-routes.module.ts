import { Module } from '@nestjs/common';
import { EmailAccessModule } from '../email/email-access.module.js';
import { OidcModule } from '../oidc/oidc.module.js';
import { PasswordModule } from '../password/password.module.js';
import { EmailEntryController } from './email-entry.controller.js';
import { OidcEntryController } from './oidc-entry.controller.js';
import { PasswordEntryController } from './password-entry.controller.js';

/**
 * The ways into private pages for visitors. Precedes all modules that import VisitorsModule, whose routes include all other paths.
 */
@Module({
  imports: [EmailAccessModule, OidcModule, PasswordModule],
  controllers: [EmailEntryController, OidcEntryController, PasswordEntryController],
})
export class AccessRoutesModule {}
