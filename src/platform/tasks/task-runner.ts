import type { Logger } from 'pino';
import type { PeriodicTask } from './periodic-tasks.js';

/** Maximum time until the first run. The startup has other statements, which the tasks would slow down. */
const FIRST_MS = 10_000;

/** Runs a periodic task. A failed run is repeated at the next interval. */
export class TaskRunner {
  private nextAt: number;
  private isFailing = false;

  constructor(
    private readonly task: PeriodicTask,
    private readonly logger: Logger,
  ) {
    this.nextAt = performance.now() + Math.min(task.every_ms, FIRST_MS);
  }

  /** Whether the next run is due. */
  get isDue(): boolean {
    return performance.now() >= this.nextAt || this.task.isDue?.() === true;
  }

  /** If there is more to do, the task is due again. */
  async run(): Promise<void> {
    const startedAt = performance.now();
    const { name, every_ms } = this.task;
    let isMore = false;
    try {
      isMore = await this.task.run();
      if (this.isFailing) this.logger.info({ task: name }, 'a periodic task succeeds again');
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.warn({ task: name, err: error }, 'a periodic task has failed; retrying');
      this.isFailing = true;
    }
    this.nextAt = isMore ? performance.now() : startedAt + every_ms;
  }
}
