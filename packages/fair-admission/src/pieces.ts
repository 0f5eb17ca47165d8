/** The longest stretch of pieces without a turn of the event loop. */
const WORK_MS = 2;
/** The longest time for which pieces wait while connections are accepted. */
const ACCEPT_MS = 20;

/**
 * Runs long work in pieces. The event loop turns between them, and accepts one connection in each turn (libuv since 1.45). So
 * turns of 50 ms accept 20 connections a second, and others wait in the kernel. While connections arrive, the next piece waits.
 *
 *     pieces.run(() => socket.resume());
 */
export class Pieces {
  private queue: (() => void)[] = [];
  private isScheduled = false;
  private hasAccepted = false;
  private acceptingSince = 0;

  /** Runs a piece in a later turn, after those before it. It takes about a millisecond, and must not throw. */
  run(piece: () => void): void {
    this.queue.push(piece);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.turn);
  }

  /** Notes that this turn has accepted a connection: there can be more. */
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

/** Those of this process, which has one event loop. */
export const pieces = new Pieces();
