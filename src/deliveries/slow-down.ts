import type { Logger } from 'pino';

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Pauses a channel whose other side is overloaded: for a second, and twice as long after each further failure. Until the first
 * success, the channel sends only one message at a time.
 */
export class SlowDown {
  private pauseMs = FIRST_MS;
  private pausedUntil = 0;
  private isSlow = false;

  constructor(
    private readonly channel: string,
    private readonly logger: Logger,
  ) {}

  get isPaused(): boolean {
    return performance.now() < this.pausedUntil;
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
        { channel: this.channel, reason },
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
      this.logger.info({ channel: this.channel }, 'deliveries continue at full speed');
    }
  }
}
