import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ProjectsModule } from '../projects/projects.module.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { BearerStrategy } from './bearer.strategy.js';

@Module({
  imports: [PassportModule, ProjectsModule],
  providers: [ApiKeysService, ApiKeysRepository, BearerStrategy],
  exports: [ApiKeysService],
})
export class AuthModule {}
