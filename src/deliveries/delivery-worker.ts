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
import { Admission } from '../platform/server/admission.js';
import { type PeriodicTask, PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { TaskRunner } from '../platform/tasks/task-runner.js';
import type { Channel } from './channel.js';
import { ChannelSender } from './channel-sender.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveriesService } from './deliveries.service.js';
import { FanOut } from './fan-out.js';
import { Loop } from './loop.js';

/** After an outage of the database, each process first writes its results, before any process claims these deliveries again. */
const RECOVERY_MS = 3_000;

/** Requests that a process handles at a time while it is busy: deliveries give way to them. */
const BUSY_REQUESTS = 2;

const CLEANUP_MS = 10 * 60_000;
const DELETED_AT_ONCE = 1_000;

/**
 * Delivers events if DELIVERY is `on`, in two loops: one creates the deliveries of due events, the other one sends them on their
 * channels and runs the periodic tasks. Polls the database, so it works through a pooler, on the embedded PostgreSQL, and in
 * any number of processes.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  /** By the names of the channels. */
  readonly senders = new Map<string, ChannelSender>();
  private readonly runners = new Map<PeriodicTask, TaskRunner>();
  private readonly stopped = new AbortController();
  private readonly fanOutLoop = new Loop(() => this.createDeliveries(), this.stopped.signal);
  private readonly sendLoop = new Loop(() => this.send(), this.stopped.signal);
  private running: Promise<unknown> | undefined;
  private runningTasks: Promise<void> | undefined;
  private stopping: Promise<unknown> | undefined;
  private state: 'running' | 'interrupted' | 'recovering' = 'running';
  private resumesAt = 0;

  constructor(
    private readonly env: Env,
    private readonly deliveries: DeliveriesService,
    private readonly pending: DeliveryQueue,
    private readonly repository: DeliveriesRepository,
    private readonly fanOut: FanOut,
    private readonly admission: Admission,
    private readonly tasks: PeriodicTasks,
    events: EventsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    tasks.add({ name: 'old events', every_ms: CLEANUP_MS, run: () => events.deleteOld() });
    tasks.add({
      name: 'finished deliveries',
      every_ms: CLEANUP_MS,
      run: async () => (await repository.deleteFinished(DELETED_AT_ONCE)) >= DELETED_AT_ONCE,
    });
    tasks.add({ name: 'old deliveries', every_ms: CLEANUP_MS, run: () => this.endOld() });
  }

  onApplicationBootstrap(): void {
    if (this.env.DELIVERY !== 'on') return;
    this.tasks.wake = () => this.sendLoop.wake();
    this.running = Promise.all([this.fanOutLoop.run(), this.sendLoop.run()]);
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
    await within(this.env.SHUTDOWN_TIMEOUT * 1_000, Promise.all([this.runningTasks, this.stopSenders()]));
  }

  /** After the loops, whose last turns can still create and claim deliveries. */
  private async stopSenders(): Promise<void> {
    await this.running;
    await this.fanOut.end();
    await Promise.all([...this.senders.values()].map((sender) => sender.stop()));
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
    for (const task of this.tasks.all)
      if (!this.runners.has(task)) this.runners.set(task, new TaskRunner(task, this.logger));
  }

  private createSender(channel: Channel): ChannelSender {
    return new ChannelSender(channel, this.pending, this.repository, this.logger, this.stopped.signal, {
      wake: () => this.sendLoop.wake(),
      isBusy: () => this.admission.turns.running >= BUSY_REQUESTS,
    });
  }

  /** Ends deliveries that are pending for too long, for example of a channel that is no longer configured. */
  private async endOld(): Promise<boolean> {
    const ended = await this.repository.endOld(DELETED_AT_ONCE);
    if (ended > 0) this.logger.warn({ ended }, 'ended deliveries that were pending for more than seven days');
    return ended >= DELETED_AT_ONCE;
  }

  private async createDeliveries(): Promise<void> {
    try {
      await this.fanOut.run(this.stopped.signal, () => this.wake());
      if (this.state === 'interrupted') {
        this.state = 'recovering';
        this.resumesAt = performance.now() + RECOVERY_MS;
      }
    } catch (error) {
      this.interrupt(error);
    }
  }

  private async send(): Promise<void> {
    this.addNew();
    this.runningTasks ??= this.runTasks().finally(() => {
      this.runningTasks = undefined; // before the next turn, which can begin now
      if ([...this.runners.values()].some(({ isDue }) => isDue)) this.sendLoop.wake();
    });
    if (this.state === 'interrupted' || performance.now() < this.resumesAt) return;
    try {
      for (const sender of this.senders.values()) await sender.fill();
      if (this.state === 'recovering') this.logger.info('deliveries continue');
      this.state = 'running';
    } catch (error) {
      this.interrupt(error);
    }
  }

  private wake(): void {
    this.fanOutLoop.wake();
    this.sendLoop.wake();
  }

  /** Until the next successful turn of the other loop. */
  private interrupt(error: unknown): void {
    if (this.state === 'running') this.logger.warn({ err: error }, 'deliveries are interrupted; retrying');
    this.state = 'interrupted';
  }
}

/** Resolves with `work`, or after `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const stopped = new AbortController();
  const timeout = delay(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  await Promise.race([work, timeout]);
  stopped.abort();
}
