import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AudiencesRepository } from './audiences.repository.js';
import { AudiencesService } from './audiences.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { EndpointDeliveriesRepository } from './endpoint-deliveries.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { Delivery } from './delivery.entity.js';
import { OutgoingRepository } from './outgoing.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([Delivery])],
  providers: [
    AudiencesRepository,
    AudiencesService,
    DeliveriesService,
    DeliveriesRepository,
    DeliveryQueue,
    EndpointDeliveriesRepository,
    OutgoingRepository,
  ],
  exports: [
    AudiencesService,
    DeliveriesService,
    DeliveriesRepository,
    DeliveryQueue,
    EndpointDeliveriesRepository,
    OutgoingRepository,
  ],
})
export class DeliveriesModule {}
