import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { StatementRunner } from '../database/statement-runner.js';
import { LOGGER } from '../logging/logging.module.js';
import { CurrentRequest } from './current-request.js';

/**
 * Adds up the statement times of each request, for its log line. Only with `LOG_LEVEL=debug` or lower, because it adds 4 to 7 %
 * to the CPU time of a request (docs/decisions/current-request.md).
 */
@Injectable()
export class DatabaseTimes implements OnModuleInit {
  constructor(
    private readonly requests: CurrentRequest,
    private readonly runner: StatementRunner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    this.requests.follow();
    this.runner.pool.statements.listen(() => {
      const request = this.requests.get();
      if (!request) return undefined;
      return ({ waited_ms }) => {
        request.database_ms = (request.database_ms ?? 0) + waited_ms;
      };
    });
  }
}
