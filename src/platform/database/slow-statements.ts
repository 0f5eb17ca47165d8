import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { nameStatement } from './statement-name.js';
import { StatementRunner } from './statement-runner.js';

/** Logs each statement that takes longer than `SLOW_STATEMENT_MS`: its name, hash and text, never its values. */
@Injectable()
export class SlowStatements {
  /** The number of slow statements so far. */
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
