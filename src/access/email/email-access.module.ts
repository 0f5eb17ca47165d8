import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { DomainDirectoryModule } from '../../domains/domain-directory.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { PublicPageModule } from '../../public-page/public-page.module.js';
import { RenderingModule } from '../../public-page/rendering/rendering.module.js';
import { SubscribersModule } from '../../subscribers/subscribers.module.js';
import { AccessModule } from '../access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { AccessEmailRequest } from './access-email-request.entity.js';
import { AccessMailChannel } from './access-mail-channel.js';
import { EmailEntry } from './email-entry.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { EmailLinksService } from './email-links.service.js';

/** Links to private pages by mail. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AccessEmailRequest]),
    AccessModule,
    DeliveriesModule,
    DomainDirectoryModule,
    EntryModule,
    MailModule,
    PublicPageModule,
    RenderingModule,
    SecretsModule,
    SubscribersModule,
  ],
  providers: [AccessMailChannel, EmailEntry, EmailLinksRepository, EmailLinksService],
  exports: [EmailEntry],
})
export class EmailAccessModule {}
