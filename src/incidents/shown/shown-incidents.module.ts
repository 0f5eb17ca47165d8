import { Module } from '@nestjs/common';
import { ShownIncidentsRepository } from './shown-incidents.repository.js';
import { ShownIncidentsService } from './shown-incidents.service.js';

/** The incidents that status pages show to their visitors. */
@Module({
  providers: [ShownIncidentsService, ShownIncidentsRepository],
  exports: [ShownIncidentsService],
})
export class ShownIncidentsModule {}
