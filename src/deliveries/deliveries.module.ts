import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AudiencesService } from './audiences.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { EndpointDeliveriesRepository } from './endpoint-deliveries.repository.js';
import { Delivery } from './delivery.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Delivery])],
  providers: [AudiencesService, DeliveriesService, DeliveriesRepository, EndpointDeliveriesRepository],
  exports: [AudiencesService, DeliveriesService, DeliveriesRepository, EndpointDeliveriesRepository],
})
export class DeliveriesModule {}
