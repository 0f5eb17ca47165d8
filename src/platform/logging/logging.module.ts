import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { createLogger } from './logger.js';

/** Injection token of the structured log: `@Inject(LOGGER) private readonly logger: Logger`. */
export const LOGGER = Symbol('Logger');

/** Provides the structured log to every module, see {@link LOGGER}. */
@Global()
@Module({})
export class LoggingModule {
  /** @param fd the file descriptor to write to, see {@link createLogger} */
  static to(fd: 1 | 2): DynamicModule {
    return {
      module: LoggingModule,
      providers: [
        { provide: LOGGER, inject: [Env], useFactory: (env: Env): Logger => createLogger(env.LOG_LEVEL, fd) },
      ],
      exports: [LOGGER],
    };
  }
}
