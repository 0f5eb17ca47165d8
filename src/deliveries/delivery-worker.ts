import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { EventsService } from '../events/events.service.js';
import { Env } from '../platform/config/env.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import type { Channel, WorkerTask } from './channel.js';
import { ChannelSender } from './channel-sender.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { FanOut } from './fan-out.js';
import { TaskRunner } from './task-runner.js';

const POLL_MS = 1_000;

/** Minimum pause between two turns, in which more work gathers. */
const PAUSE_MS = 20;

/** After an outage of the database, each process first writes its results, before any process claims these deliveries again. */
const RECOVERY_MS = 3_000;

const CLEANUP_MS = 10 * 60_000;
const STALE_MS = 60_000;
const DELETED_AT_ONCE = 1_000;

/**
 * Delivers events if DELIVERY is `on`: creates the deliveries of due events, sends them on their channels, and runs the periodic
 * tasks. Polls the database, so it works through a pooler, on the embedded PostgreSQL, and in any number of processes.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  /** By the names of the channels. */
  readonly senders = new Map<string, ChannelSender>();
  private readonly runners = new Map<WorkerTask, TaskRunner>();
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;
  private runningTasks: Promise<void> | undefined;
  private stopping: Promise<unknown> | undefined;
  private isWoken = false;
  private resume: (() => void) | undefined;
  private state: 'running' | 'interrupted' | 'recovering' = 'running';
  private resumesAt = 0;

  constructor(
    private readonly env: Env,
    private readonly deliveries: DeliveriesService,
    private readonly repository: DeliveriesRepository,
    private readonly fanOut: FanOut,
    events: EventsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    deliveries.addTask({ name: 'old events', every_ms: CLEANUP_MS, run: () => events.deleteOld() });
    deliveries.addTask({ name: 'stale events', every_ms: STALE_MS, run: () => fanOut.dropStale() });
    deliveries.addTask({
      name: 'finished deliveries',
      every_ms: CLEANUP_MS,
      run: async () => (await repository.deleteFinished(DELETED_AT_ONCE)) >= DELETED_AT_ONCE,
    });
  }

  onApplicationBootstrap(): void {
    if (this.env.DELIVERY === 'on') this.running = this.run();
  }

  /** Begins to stop, before the server finishes its requests. */
  onModuleDestroy(): void {
    this.stopping ??= this.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  /** Waits for what is in flight, for at most SHUTDOWN_TIMEOUT. */
  private async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await within(this.env.SHUTDOWN_TIMEOUT * 1_000, Promise.all([this.runningTasks, this.stopSenders()]));
  }

  /** After the loop, whose last turn can still claim deliveries. */
  private async stopSenders(): Promise<void> {
    await this.running;
    await Promise.all([...this.senders.values()].map((sender) => sender.stop()));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.addNew();
      this.runningTasks ??= this.runTasks().finally(() => (this.runningTasks = undefined));
      const isMore = await this.turn();
      await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (!isMore && !this.isWoken && !signal.aborted) await this.sleep();
      this.isWoken = false;
    }
  }

  /** Runs the tasks that are due, one after the other, so that they use only one connection. */
  private async runTasks(): Promise<void> {
    for (const runner of this.runners.values())
      if (runner.isDue && !this.stopped.signal.aborted) await runner.run();
  }

  /** Channels and tasks can be added while it runs. */
  private addNew(): void {
    for (const channel of this.deliveries.available)
      if (!this.senders.has(channel.name)) this.senders.set(channel.name, this.createSender(channel));
    for (const task of this.deliveries.tasks)
      if (!this.runners.has(task))
        this.runners.set(task, new TaskRunner(task, this.logger, () => this.wake()));
  }

  private createSender(channel: Channel): ChannelSender {
    return new ChannelSender(channel, this.repository, this.logger, this.stopped.signal, () => this.wake());
  }

  /** Returns whether there is more to do now. */
  private async turn(): Promise<boolean> {
    if (performance.now() < this.resumesAt) return false;
    try {
      const isMore = await this.fanOut.run(this.stopped.signal);
      if (this.state === 'interrupted') {
        this.state = 'recovering';
        this.resumesAt = performance.now() + RECOVERY_MS;
        return false;
      }
      for (const sender of this.senders.values()) await sender.fill();
      if (this.state === 'recovering') this.logger.info('deliveries continue');
      this.state = 'running';
      return isMore;
    } catch (error) {
      if (this.state === 'running') this.logger.warn({ err: error }, 'deliveries are interrupted; retrying');
      this.state = 'interrupted';
      return false;
    }
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

  /** Makes the next turn begin soon. */
  private wake(): void {
    this.isWoken = true;
    this.resume?.();
  }
}

/** Resolves with `work`, or after `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const stopped = new AbortController();
  const timeout = delay(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  stopped.abort();
}
