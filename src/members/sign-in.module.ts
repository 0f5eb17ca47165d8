import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PasswordsModule } from '../platform/auth/passwords.module.js';
import { CodeFlowModule } from '../platform/oidc/code-flow.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { ServerModule } from '../platform/server/server.module.js';
import { MembersModule } from './members.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { MemberMailChannel } from './member-mail-channel.js';
import { MemberPasswords } from './member-passwords.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { SignIn } from './sign-in.js';

/** Ways for members to sign in. */
@Module({
  imports: [
    CodeFlowModule,
    DeliveriesModule,
    EventsModule,
    MailModule,
    MembersModule,
    OrganizationsModule,
    PasswordsModule,
    SecretsModule,
    ServerModule,
  ],
  providers: [MemberMailChannel, MemberPasswords, OidcSignIn, SignIn],
  exports: [MemberPasswords, MembersModule, OidcSignIn, ServerModule, SignIn],
})
export class SignInModule {}
