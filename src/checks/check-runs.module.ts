import { Module } from '@nestjs/common';
import { ServerModule } from '../platform/server/server.module.js';
import { CheckRunsController } from './check-runs.controller.js';
import { CheckRunsService } from './check-runs.service.js';
import { ChecksModule } from './checks.module.js';

/** Runs of checks on request. Imported only by the server, because their limits count requests. */
@Module({
  imports: [ChecksModule, ServerModule],
  controllers: [CheckRunsController],
  providers: [CheckRunsService],
  exports: [CheckRunsService],
})
export class CheckRunsModule {}
