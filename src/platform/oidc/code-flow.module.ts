import { Module } from '@nestjs/common';
import { NetworkModule } from '../network/network.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { CodeFlow } from './code-flow.js';
import { IssuerRequests } from './issuer-requests.js';
import { Issuers } from './issuers.js';
import { SignInFlows } from './sign-in-flow.js';

/** Sign-ins at issuers of OpenID Connect: of visitors to private pages, and of members to the console. */
@Module({
  imports: [NetworkModule, SecretsModule],
  providers: [CodeFlow, IssuerRequests, Issuers, SignInFlows],
  exports: [CodeFlow, SignInFlows],
})
export class CodeFlowModule {}
