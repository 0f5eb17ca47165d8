import { Module } from '@nestjs/common';
import { MonitorsRepository } from './monitors.repository.js';
import { MonitorsService } from './monitors.service.js';

@Module({ providers: [MonitorsService, MonitorsRepository], exports: [MonitorsService] })
export class MonitorsModule {}
