import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MonitorsModule } from '../monitors/monitors.module.js';
import { NetworkModule } from '../platform/network/network.module.js';
import { SecretsModule } from '../platform/secrets/secrets.module.js';
import { TasksModule } from '../platform/tasks/tasks.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { CheckRules } from './check-rules.js';
import { CheckState } from './check-state.entity.js';
import { CheckStatesRepository } from './check-states.repository.js';
import { Check } from './check.entity.js';
import { ChecksController } from './checks.controller.js';
import { ChecksRepository } from './checks.repository.js';
import { ChecksService } from './checks.service.js';
import { HeaderSecrets } from './header-secrets.js';
import { CheckNetwork } from './probes/check-network.js';
import { Connections } from './probes/connections.js';
import { HttpProbe } from './probes/http-probe.js';
import { Prober } from './probes/prober.js';
import { CheckRunner } from './check-runner.js';
import { OwnFaults } from './own-faults.js';

/** Checks of monitors, and the worker that runs them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Check, CheckState]),
    MonitorsModule,
    NetworkModule,
    ProjectsModule,
    ReportsModule,
    SecretsModule,
    TasksModule,
  ],
  controllers: [ChecksController],
  providers: [
    CheckNetwork,
    CheckRules,
    CheckRunner,
    CheckStatesRepository,
    ChecksRepository,
    ChecksService,
    Connections,
    HeaderSecrets,
    HttpProbe,
    OwnFaults,
    Prober,
  ],
  exports: [ChecksRepository, ChecksService, HeaderSecrets, Prober],
})
export class ChecksModule {}
