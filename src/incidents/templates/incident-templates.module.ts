import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IncidentsModule } from '../incidents.module.js';
import { MonitorsModule } from '../../monitors/monitors.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { IncidentTemplate } from './incident-template.entity.js';
import { IncidentTemplatesController } from './incident-templates.controller.js';
import { IncidentTemplatesRepository } from './incident-templates.repository.js';
import { IncidentTemplatesService } from './incident-templates.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IncidentTemplate]), ProjectsModule, MonitorsModule, IncidentsModule],
  controllers: [IncidentTemplatesController],
  providers: [IncidentTemplatesService, IncidentTemplatesRepository],
  exports: [IncidentTemplatesService],
})
export class IncidentTemplatesModule {}
