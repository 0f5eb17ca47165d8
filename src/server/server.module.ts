import { Module } from '@nestjs/common';
import { GracefulShutdown } from './graceful-shutdown.js';
import { RateLimit } from './rate-limit.js';

@Module({ providers: [GracefulShutdown, RateLimit], exports: [GracefulShutdown, RateLimit] })
export class ServerModule {}
