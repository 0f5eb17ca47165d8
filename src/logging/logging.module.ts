import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { createLogger } from './logger.js';

/** Injects the structured log. */
export const LOGGER = Symbol('Logger');

/** Gives every module the structured log, under {@link LOGGER}. */
@Global()
@Module({})
export class LoggingModule {
  /** @param fd the file descriptor it writes to, see {@link createLogger} */
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
