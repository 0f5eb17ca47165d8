import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../platform/auth/auth.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { MeController } from './me.controller.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ApiKey } from './api-key.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), OrganizationsModule, AuthModule, ProjectsModule],
  controllers: [ApiKeysController, MeController],
  providers: [ApiKeysService, ApiKeysRepository],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
