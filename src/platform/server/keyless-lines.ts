import type { Logger } from 'pino';

/**
 * Maximum number of log lines per second for requests without a valid API key. Without it, one client could cause gigabytes of
 * log per hour.
 */
const MAX_LINES = 100;
const WINDOW_MS = 1_000;

/**
 * Bounds the log lines of requests without a valid API key, and logs once per second how many were omitted. The levels `debug`
 * and `trace` contain all lines.
 */
export class KeylessLines {
  private lines = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Logger) {}

  /** Takes a line of the current second. Returns false if the line must be omitted. */
  take(): boolean {
    if (this.logger.isLevelEnabled('debug')) return true;
    this.timer ??= setTimeout(() => this.report(), WINDOW_MS).unref();
    this.lines += 1;
    return this.lines <= MAX_LINES;
  }

  /** Ends the second, and logs the number of omitted lines. */
  report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const left_out = this.lines - MAX_LINES;
    this.lines = 0;
    if (left_out <= 0) return;
    this.logger.info(
      { left_out },
      'omitted access log lines: more than 100 requests per second without a valid API key',
    );
  }
}
