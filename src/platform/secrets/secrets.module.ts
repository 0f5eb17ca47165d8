import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Secret } from './secret.entity.js';
import { SecretsRepository } from './secrets.repository.js';
import { SecretsService } from './secrets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Secret])],
  providers: [SecretsRepository, SecretsService],
  exports: [SecretsService],
})
export class SecretsModule {}
