import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { ServerModule } from '../../platform/server/server.module.js';
import { MembersModule } from '../members.module.js';
import { MemberPasskeys } from './member-passkeys.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeySignIn } from './passkey-sign-in.js';

/** Passkeys of members. */
@Module({
  imports: [MembersModule, OrganizationsModule, SecretsModule, ServerModule],
  providers: [MemberPasskeys, PasskeyChallenges, PasskeySignIn],
  exports: [MemberPasskeys, PasskeyChallenges, PasskeySignIn],
})
export class PasskeysModule {}
