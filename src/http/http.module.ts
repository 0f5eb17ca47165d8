import { Module } from '@nestjs/common';
import { Drain } from './drain.js';
import { ProblemsController } from './problems.controller.js';
import { RateLimit } from './rate-limit.js';

@Module({ controllers: [ProblemsController], providers: [Drain, RateLimit], exports: [Drain, RateLimit] })
export class HttpModule {}
