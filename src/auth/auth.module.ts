import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ProjectsModule } from '../projects/projects.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { KeyLookups } from './key-lookups.js';
import { MeController } from './me.controller.js';

@Module({
  imports: [PassportModule, ProjectsModule],
  controllers: [ApiKeysController, MeController],
  providers: [ApiKeysService, ApiKeysRepository, BearerStrategy, KeyLookups],
  exports: [ApiKeysService],
})
export class AuthModule {}
