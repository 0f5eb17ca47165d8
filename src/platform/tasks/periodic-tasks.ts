import { Injectable } from '@nestjs/common';

/** Periodic work of the delivering processes, such as the deletion of old rows. */
export interface PeriodicTask {
  name: string;
  /** Time between two runs, in milliseconds. Several processes can run a task at the same time. */
  every_ms: number;
  /** Returns whether there is more to do now. */
  run: () => Promise<boolean>;
  /** Returns whether the task is due before `every_ms` have passed. Call {@link PeriodicTasks.wake} when it becomes due. */
  isDue?: () => boolean;
}

/**
 * Periodic tasks of all modules. The delivering processes run them, one after the other.
 *
 *     constructor(tasks: PeriodicTasks) {
 *       tasks.add({ name: 'old events', every_ms: 600_000, run: () => this.deleteOld() });
 */
@Injectable()
export class PeriodicTasks {
  /** In the order of their registration. Grows while the process runs. */
  readonly all: PeriodicTask[] = [];

  /** Makes tasks run soon that are due. No effect in processes that run no tasks; the worker replaces it. */
  wake: () => void = () => undefined;

  add(task: PeriodicTask): void {
    this.all.push(task);
  }
}
