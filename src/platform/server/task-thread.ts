import { once } from 'node:events';
import { type Transferable, Worker } from 'node:worker_threads';

/** Limits of a {@link TaskThread}. */
export interface ThreadLimits {
  /** Maximum time of a task, including thread startup, in milliseconds. */
  taskMs: number;
  /** Heap of the thread, in MiB. */
  heapMb: number;
}

/** Thrown if a task takes too much time or memory. */
export class OverLimitsError extends Error {}

/** A worker thread that runs one task at a time, with bounded time and memory. */
export class TaskThread<Task, Outcome> {
  private readonly worker: Worker;
  private idleTimer: NodeJS.Timeout | undefined;
  private onIdleEnd: (() => void) | undefined;

  /** @param entry the compiled file, which posts an outcome for each task */
  constructor(
    entry: string | URL,
    private readonly limits: ThreadLimits,
  ) {
    this.worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      execArgv: [],
      env: {},
    });
    // `run` reports errors. An error after its time limit must not terminate the process.
    this.worker.on('error', () => undefined);
    this.worker.on('exit', () => this.onIdleEnd?.());
  }

  /**
   * Runs a task. Must not be called while another task runs. After an error, the thread has ended.
   * @throws OverLimitsError
   */
  async run(task: Task, transfer: Transferable[] = []): Promise<Outcome> {
    clearTimeout(this.idleTimer);
    this.onIdleEnd = undefined;
    this.worker.ref();
    try {
      this.worker.postMessage(task, transfer);
      const signal = AbortSignal.timeout(this.limits.taskMs);
      const [outcome]: Outcome[] = await once(this.worker, 'message', { signal });
      if (!outcome) throw new Error('the thread sent no result');
      return outcome;
    } catch (error) {
      await this.end();
      throw isOverLimits(error) ? new OverLimitsError('too much time or memory', { cause: error }) : error;
    }
  }

  /**
   * Ends the thread unless it runs another task within `ms`.
   * @param onEnd called before the thread is ended, or after it has ended by itself
   */
  endAfter(ms: number, onEnd: () => void): void {
    this.onIdleEnd = onEnd;
    this.worker.unref(); // an idle thread does not keep the process alive
    this.idleTimer = setTimeout(() => {
      onEnd();
      void this.end();
    }, ms).unref();
  }

  async end(): Promise<void> {
    clearTimeout(this.idleTimer);
    await this.worker.terminate();
  }
}

function isOverLimits(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');
}
