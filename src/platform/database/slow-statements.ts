import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { nameStatement } from '@status-pages/resilient-pg';
import { StatementRunner } from './statement-runner.js';

/** Logs the name, hash and text of each statement that takes longer than `SLOW_STATEMENT_MS`, but never its values. */
@Injectable()
export class SlowStatements {
  /** Number of slow statements so far. */
  count = 0;

  constructor({ SLOW_STATEMENT_MS: limit }: Env, { pool }: StatementRunner, @Inject(LOGGER) logger: Logger) {
    if (limit === 0) return;
    pool.statements.listen((text) => ({ duration_ms, error }) => {
      if (duration_ms <= limit) return;
      this.count += 1;
      const { name, hash, text: shown } = nameStatement(text);
      const code: unknown = error && 'code' in error ? error.code : undefined;
      logger.warn(
        { statement: name, statement_hash: hash, text: shown, duration_ms: Math.round(duration_ms), code },
        'slow statement',
      );
    });
  }
}
