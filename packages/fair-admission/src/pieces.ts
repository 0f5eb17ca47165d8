/** Maximum time of consecutive pieces in one iteration of the event loop. */
const WORK_MS = 2;
/** Maximum time for which pieces wait while connections arrive. */
const ACCEPT_MS = 20;

/**
 * Runs long work in pieces. Between pieces, the event loop accepts one connection per iteration (libuv since 1.45). Iterations of
 * 50 ms would therefore accept 20 connections per second, and others would wait in the kernel. While connections arrive, pieces wait.
 *
 *     pieces.run(() => socket.resume());
 */
export class Pieces {
  private queue: (() => void)[] = [];
  private isScheduled = false;
  private hasAccepted = false;
  private acceptingSince = 0;

  /** Schedules a piece after all earlier pieces. A piece should take about a millisecond, and must not throw. */
  run(piece: () => void): void {
    this.queue.push(piece);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.turn);
  }

  /** Records that this iteration has accepted a connection, so more may be waiting. */
  accepted(): void {
    this.hasAccepted = true;
  }

  private readonly turn = (): void => {
    const now = performance.now();
    if (this.hasAccepted) {
      this.hasAccepted = false;
      if (this.acceptingSince === 0) this.acceptingSince = now;
      if (now - this.acceptingSince < ACCEPT_MS) {
        setImmediate(this.turn);
        return;
      }
    }
    this.acceptingSince = 0;
    const queue = this.queue;
    this.queue = [];
    let ran = 0;
    do queue[ran++]?.();
    while (ran < queue.length && performance.now() - now < WORK_MS);
    if (ran < queue.length) this.queue = [...queue.slice(ran), ...this.queue];
    this.isScheduled = this.queue.length > 0;
    if (this.isScheduled) setImmediate(this.turn);
  };
}

/** The queue of this process, which has one event loop. */
export const pieces = new Pieces();
