import { Module } from '@nestjs/common';
import { Drain } from './connections.js';
import { ProblemsController } from './problems.controller.js';

@Module({ controllers: [ProblemsController], providers: [Drain], exports: [Drain] })
export class HttpModule {}
