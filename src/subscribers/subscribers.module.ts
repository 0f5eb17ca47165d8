import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { AddressMails } from './address-mails.js';
import { BouncesService } from './bounces.service.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { ConfirmationMail } from './confirmation-mail.entity.js';
import { Confirmations } from './confirmations.js';
import { ErasedSubscriber } from './erased-subscriber.entity.js';
import { ErasuresRepository } from './erasures.repository.js';
import { AddressMailsRepository } from './address-mails.repository.js';
import { BouncesRepository } from './bounces.repository.js';
import { RecipientsRepository } from './recipients.repository.js';
import { SubscriptionReferencesRepository } from './subscription-references.repository.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { RecipientsService } from './recipients.service.js';
import { SubscriberLimit } from './subscriber-limit.js';
import { SubscriberImport } from './subscriber-import.js';
import { SubscriberCreation } from './subscriber-creation.js';
import { Subscriber } from './subscriber.entity.js';
import { SubscribersController } from './subscribers.controller.js';
import { SubscribersRepository } from './subscribers.repository.js';
import { SubscribersService } from './subscribers.service.js';
import { SubscriptionRequest } from './subscription-request.entity.js';
import { SubscriptionTasks } from './subscription-tasks.js';
import { SubscriptionTokens } from './subscription-tokens.js';
import { SubscriptionsService } from './subscriptions.service.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Subscriber, ErasedSubscriber, SubscriptionRequest, ConfirmationMail]),
    SecretsModule,
    DeliveriesModule,
    MonitorsModule,
    StatusPagesModule,
    DeletedPagesModule,
    TasksModule,
  ],
  controllers: [SubscribersController],
  providers: [
    AddressMails,
    AddressMailsRepository,
    BouncesRepository,
    BouncesService,
    Confirmations,
    ErasuresRepository,
    RecipientsRepository,
    RecipientsService,
    SubscriberLimit,
    SubscriberCreation,
    SubscriberImport,
    SubscribersRepository,
    SubscribersService,
    SubscriptionReferencesRepository,
    SubscriptionsRepository,
    SubscriptionTasks,
    SubscriptionTokens,
    SubscriptionsService,
  ],
  exports: [
    AddressMails,
    BouncesService,
    RecipientsService,
    SubscriberCreation,
    SubscriberImport,
    SubscribersService,
    SubscriptionTokens,
    SubscriptionsService,
  ],
})
export class SubscribersModule {}
