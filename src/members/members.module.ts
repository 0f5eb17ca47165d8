import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SubscribersModule } from '../subscribers/subscribers.module.js';
import { MemberActivation } from './member-activation.js';
import { MemberLimits } from './member-limits.js';
import { MemberLinkRequest } from './member-link-request.entity.js';
import { MemberLink } from './member-link.entity.js';
import { MemberLinksRepository } from './member-links.repository.js';
import { MemberLinks } from './member-links.js';
import { MemberSession } from './member-session.entity.js';
import { MemberSessionsRepository } from './member-sessions.repository.js';
import { MemberSessions } from './member-sessions.js';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { MemberPasskey } from './member-passkey.entity.js';
import { MemberPasskeysRepository } from './member-passkeys.repository.js';

const PROVIDERS = [
  MemberActivation,
  MemberLimits,
  MemberLinks,
  MemberLinksRepository,
  MemberPasskeysRepository,
  MemberSessions,
  MemberSessionsRepository,
  MembersRepository,
  MembersService,
];

/** People who manage an organization, and their sessions. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Member, MemberSession, MemberLink, MemberLinkRequest, MemberPasskey]),
    AuthModule,
    DeliveriesModule,
    OrganizationsModule,
    ProjectsModule,
    SecretsModule,
    SubscribersModule,
    TasksModule,
  ],
  controllers: [MembersController],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class MembersModule {}
