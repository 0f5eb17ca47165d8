import type { Logger } from 'pino';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Pauses a channel, or an organization on it, while the other side is overloaded: for a second, and twice as long after each further
 * failure. Until the first success, only one message is sent at a time.
 */
export class SlowDown {
  private pauseMs = FIRST_MS;
  private pausedUntil = 0;
  private isSlow = false;

  constructor(
    private readonly subject: { channel: string; organization_id?: string },
    private readonly logger: Logger,
  ) {}

  get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
  }

  /** Milliseconds until the end of the pause. */
  get pausedMs(): number {
    return Math.max(0, Math.ceil(this.pausedUntil - performance.now()));
  }

  /** Returns how many of `count` are allowed now. */
  limit(count: number): number {
    if (this.isPaused) return 0;
    return this.isSlow ? Math.min(1, count) : count;
  }

  /** Begins a pause, unless there is one. Returns whether it begins. */
  begin(reason: string): boolean {
    if (this.isPaused) return false;
    if (!this.isSlow)
      this.logger.warn(
        { ...this.subject, reason },
        'deliveries are slowed down: the other side is overloaded',
      );
    this.isSlow = true;
    this.pausedUntil = performance.now() + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_MS);
    return true;
  }

  /** A success. A pause that has begun continues. */
  end(): void {
    this.pauseMs = FIRST_MS;
    if (this.isSlow && !this.isPaused) {
      this.isSlow = false;
      this.logger.info(this.subject, 'deliveries continue at full speed');
    }
  }
}
