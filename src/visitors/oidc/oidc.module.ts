import { Module } from '@nestjs/common';
import { CodeFlowModule } from '../../platform/oidc/code-flow.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { HostCookiesModule } from '../../platform/server/host-cookies.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { OidcEntry } from './oidc-entry.js';
import { OidcSignInService } from './oidc-sign-in.service.js';

/** Sign-in with OpenID Connect. */
@Module({
  imports: [CodeFlowModule, EntryModule, HostCookiesModule, SecretsModule, VisitorsModule],
  providers: [OidcEntry, OidcSignInService],
  exports: [OidcEntry],
})
export class OidcModule {}
