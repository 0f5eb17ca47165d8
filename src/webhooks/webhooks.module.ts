import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WebhookContentModule } from './content/webhook-content.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DeletedPagesModule } from '../status-pages/deleted/deleted-pages.module.js';
import { StatusPagesModule } from '../status-pages/status-pages.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EventsModule } from '../events/events.module.js';
import { EndpointAudience } from './endpoint-audience.js';
import { EndpointHealth } from './endpoint-health.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { WebhookChannel } from './webhook-channel.js';
import { EndpointRecipients } from './endpoint-recipients.js';
import { EndpointRules } from './endpoint-rules.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecrets } from './webhook-secrets.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([WebhookEndpoint]),
    SecretsModule,
    ProjectsModule,
    StatusPagesModule,
    DeletedPagesModule,
    WebhookContentModule,
    OutboundModule,
    DeliveriesModule,
    EventsModule,
  ],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [
    EndpointAudience,
    EndpointHealth,
    EndpointRecipients,
    EndpointRules,
    WebhookChannel,
    WebhookDeliveriesService,
    WebhookEndpointsRepository,
    WebhookEndpointsService,
    WebhookSecrets,
  ],
  exports: [
    EndpointRecipients,
    WebhookDeliveriesService,
    WebhookEndpointsRepository,
    WebhookEndpointsService,
  ],
})
export class WebhooksModule {}
