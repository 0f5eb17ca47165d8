import { Module } from '@nestjs/common';
import { ShownIncidentsRepository } from './shown-incidents.repository.js';
import { ShownIncidentsService } from './shown-incidents.service.js';

/** Incidents on public pages. */
@Module({
  providers: [ShownIncidentsService, ShownIncidentsRepository],
  exports: [ShownIncidentsService],
})
export class ShownIncidentsModule {}
