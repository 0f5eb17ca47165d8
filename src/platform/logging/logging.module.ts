import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { ErrorLog } from './error-log.js';
import { createLogger } from './logger.js';
import { LOGGER } from './logger-token.js';

export { LOGGER };

/** Provides the structured log to every module, see {@link LOGGER}, and the log of failed requests. */
@Global()
@Module({})
export class LoggingModule {
  /** @param fd the file descriptor to write to, see {@link createLogger} */
  static to(fd: 1 | 2): DynamicModule {
    return {
      module: LoggingModule,
      providers: [
        { provide: LOGGER, inject: [Env], useFactory: (env: Env): Logger => createLogger(env.LOG_LEVEL, fd) },
        ErrorLog,
      ],
      exports: [LOGGER, ErrorLog],
    };
  }
}
