import type { Logger } from 'pino';

/** Lines of requests without a valid API key in a second. Without a bound, one client makes gigabytes of log in an hour. */
const MAX_LINES = 100;
const WINDOW_MS = 1_000;

/**
 * Bounds the log lines of requests without a valid API key, and logs once a second how many were left out. The levels `debug` and
 * `trace` have all lines.
 */
export class KeylessLines {
  private lines = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Logger) {}

  /** Takes a line of this second. Returns false if it must be left out. */
  take(): boolean {
    if (this.logger.isLevelEnabled('debug')) return true;
    this.timer ??= setTimeout(() => this.report(), WINDOW_MS).unref();
    this.lines += 1;
    return this.lines <= MAX_LINES;
  }

  /** Ends the second, and logs the number of lines that were left out. */
  report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const left_out = this.lines - MAX_LINES;
    this.lines = 0;
    if (left_out <= 0) return;
    this.logger.info(
      { left_out },
      'access lines left out: more than 100 in a second without a valid API key',
    );
  }
}
