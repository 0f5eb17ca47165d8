import type { Transferable } from 'node:worker_threads';
import { TaskThread, type ThreadLimits } from './task-thread.js';

/** Limits of a {@link ThreadPool}. */
export interface PoolLimits extends ThreadLimits {
  /** Time after which an idle thread ends and frees its memory, in milliseconds. */
  idleMs: number;
}

/**
 * Runs tasks in idle threads, or in new ones. The caller bounds the number of concurrent tasks.
 *
 *     const threads = new ThreadPool<Task, Outcome>(threadPath('…'), { taskMs: 5_000, heapMb: 64, idleMs: 10_000 });
 *     const outcome = await threads.run(task);
 */
export class ThreadPool<Task, Outcome> {
  private readonly idle = new Set<TaskThread<Task, Outcome>>();
  private working = 0;

  /** @param entry the compiled file of the threads, which posts an outcome for each task */
  constructor(
    private readonly entry: string,
    private readonly limits: PoolLimits,
  ) {}

  /** Number of threads, working and idle. */
  get size(): number {
    return this.working + this.idle.size;
  }

  /** @throws OverLimitsError */
  async run(task: Task, transfer?: Transferable[]): Promise<Outcome> {
    const [thread = new TaskThread<Task, Outcome>(this.entry, this.limits)] = this.idle;
    this.idle.delete(thread);
    this.working += 1;
    try {
      const outcome = await thread.run(task, transfer);
      this.idle.add(thread);
      thread.endAfter(this.limits.idleMs, () => this.idle.delete(thread));
      return outcome;
    } finally {
      this.working -= 1;
    }
  }

  /** Ends the idle threads. */
  async end(): Promise<void> {
    await Promise.all([...this.idle].map((thread) => thread.end()));
  }
}
