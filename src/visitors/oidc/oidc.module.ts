import { Module } from '@nestjs/common';
import { NetworkModule } from '../../platform/network/network.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { AccessModule } from '../../access/access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { IssuerRequests } from './issuer-requests.js';
import { Issuers } from './issuers.js';
import { OidcEntry } from './oidc-entry.js';
import { OidcSignInService } from './oidc-sign-in.service.js';
import { SignInFlows } from './sign-in-flow.js';

/** Sign-in with OpenID Connect. */
@Module({
  imports: [AccessModule, EntryModule, NetworkModule, SecretsModule, VisitorsModule],
  providers: [IssuerRequests, Issuers, OidcEntry, OidcSignInService, SignInFlows],
  exports: [OidcEntry],
})
export class OidcModule {}
