import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { DomainDirectoryModule } from '../../domains/domain-directory.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { RenderingModule } from '../../page-documents/rendering/rendering.module.js';
import { SubscribersModule } from '../../subscribers/subscribers.module.js';
import { AccessModule } from '../../access/access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { AccessEmailRequest } from './access-email-request.entity.js';
import { AccessEmailToken } from './access-email-token.entity.js';
import { AccessMailChannel } from './access-mail-channel.js';
import { EmailEntry } from './email-entry.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { EmailLinksService } from './email-links.service.js';
import { TasksModule } from '../../platform/tasks/tasks.module.js';

/** Links to private pages by mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccessEmailRequest, AccessEmailToken]),
    AccessModule,
    DeliveriesModule,
    DomainDirectoryModule,
    EntryModule,
    MailModule,
    VisitorsModule,
    RenderingModule,
    SecretsModule,
    SubscribersModule,
    TasksModule,
  ],
  providers: [AccessMailChannel, EmailEntry, EmailLinksRepository, EmailLinksService],
  exports: [EmailEntry],
})
export class EmailAccessModule {}
