import { Module } from '@nestjs/common';
import { ServerModule } from '../server/server.module.js';
import { CurrentRequest } from './current-request.js';
import { DatabaseTimes } from './database-times.js';
import { Tracing } from './tracing.js';

@Module({ imports: [ServerModule], providers: [CurrentRequest, DatabaseTimes, Tracing] })
export class TracingModule {}
