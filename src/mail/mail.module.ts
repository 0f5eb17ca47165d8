import { Module } from '@nestjs/common';
import { AccessRulesModule } from '../access/access-rules.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { DomainDirectoryModule } from '../domains/domain-directory.module.js';
import { EventsModule } from '../events/events.module.js';
import { RenderingModule } from '../page-documents/rendering/rendering.module.js';
import { SubscribersModule } from '../subscribers/subscribers.module.js';
import { MailChannel } from './mail-channel.js';
import { MailSubjects } from './mail-subjects.js';
import { MailTransport } from './mail-transport.js';
import { MailWriter } from './mail-writer.js';

/** Mail to subscribers. */
@Module({
  imports: [
    AccessRulesModule,
    DeliveriesModule,
    DomainDirectoryModule,
    EventsModule,
    SubscribersModule,
    RenderingModule,
  ],
  providers: [MailTransport, MailChannel, MailSubjects, MailWriter],
  exports: [MailTransport],
})
export class MailModule {}
