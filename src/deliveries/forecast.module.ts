import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { DeliveriesModule } from './deliveries.module.js';
import { Forecast } from './forecast.js';

/** Counts the messages of dry runs. Only the server has them. */
@Module({
  imports: [DeliveriesModule, EventsModule],
  providers: [Forecast],
})
export class ForecastModule {}
