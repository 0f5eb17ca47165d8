import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 1_000;

/** Minimum pause between two turns, in which more work gathers. */
const PAUSE_MS = 20;

/** Repeats a turn once a second, and soon after {@link wake}. */
export class Loop {
  private isWoken = false;
  private resume: (() => void) | undefined;

  /**
   * @param turn must not throw
   * @param signal ends the loop after its present turn
   */
  constructor(
    private readonly turn: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.wake());
  }

  /** Resolves when the loop has ended. */
  async run(): Promise<void> {
    const { signal } = this;
    while (!signal.aborted) {
      this.isWoken = false;
      await this.turn();
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (!this.isWoken && !signal.aborted) await this.sleep();
    }
  }

  /** Makes the next turn begin soon. */
  wake(): void {
    this.isWoken = true;
    this.resume?.();
  }

  private async sleep(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.resume = undefined;
  }
}
