import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { readVersion } from '../config/project-files.js';
import type { Env } from '../config/env.js';
import { watchHeartbeat } from './heartbeat.js';
import type { CountsReply, DomainChanges, FromWorker } from './messages.js';
import { cannotFork, EarlyEnd, type WorkerEnd, forkProcess, send, statusOf } from './worker-process.js';

/** Lifetime below which a worker is replaced after a pause, in milliseconds. */
const SHORT_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Time after the end of `SHUTDOWN_TIMEOUT` at which a worker is killed, in milliseconds. */
const KILL_AFTER_MS = 10_000;

interface Counted {
  consumedPoints: number;
  msBeforeNext: number;
}

/** Counts of all workers. */
interface Counts {
  addPoints(name: string, points: number, seconds?: number): Counted;
  get(name: string): Counted | undefined;
}

/** Opens the admin server of a service at `url`. Returns a function that closes it. */
type OpenAdmin = (url: string) => Promise<() => Promise<void>>;

/** URL on which a worker listens, and whether it serves only saved copies. */
type Started = Pick<Extract<FromWorker, { kind: 'listening' }>, 'url' | 'is_standby'>;

/**
 * The primary of `WEB_CONCURRENCY` workers (node:cluster). Accepts connections and distributes them to the workers, replaces
 * workers that exit, and stores the state that workers share. Serves no requests itself.
 */
export class Primary {
  private readonly workers = new Set<Worker>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private closeAdmin: (() => Promise<void>) | undefined;
  private isStopping = false;
  private isOverdue = false;
  private readonly failedStops: string[] = [];
  private isInStandby = false;
  private isAnnounced = false;
  private readonly serving = new Set<Worker>();
  private shortLives = 0;
  private port: number;
  private onEmpty: () => void = () => undefined;

  constructor(
    private readonly env: Env,
    private readonly logger: Logger,
    private readonly counts: Counts,
    private readonly openAdmin: OpenAdmin,
    private readonly changeDomains: (changes: DomainChanges) => void = () => undefined,
  ) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    this.port = env.PORT;
  }

  /**
   * Starts the workers. The first one starts alone, because it migrates the database. After it listens, workers that die are
   * replaced.
   * @throws Error with the reason if a worker cannot start
   */
  async start(): Promise<void> {
    if (this.port === 0) this.port = await findFreePort(this.env.HOST);
    const { url } = await this.fork();
    if (this.isStopping) return; // shutdown began before this worker listened; the worker now exits
    const others = Array.from({ length: this.env.WEB_CONCURRENCY - 1 }, () =>
      this.fork().catch((error: Error) => {
        if (!(error instanceof EarlyEnd)) throw error;
        this.tryAgain(error);
      }),
    );
    await Promise.all(others);
    if (this.isStopping) return;
    this.closeAdmin = await this.openAdmin(url);
  }

  /**
   * Stops all workers as SIGTERM stops a server of one process, and kills workers that do not exit in time.
   * @throws Error if a worker did not shut down cleanly, or had to be killed
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    if (this.workers.size > 0) await this.stopWorkers();
    await this.closeAdmin?.();
    if (this.failedStops.length > 0) throw new Error(this.failedStops.join('; '));
  }

  private async stopWorkers(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.onEmpty = resolve));
    for (const { process: child } of this.workers) child.kill('SIGTERM');
    const { DRAIN_DELAY, SHUTDOWN_TIMEOUT } = this.env;
    const kill = setTimeout(
      () => {
        this.isOverdue = true;
        for (const { process: child } of this.workers) child.kill('SIGKILL');
      },
      (DRAIN_DELAY + SHUTDOWN_TIMEOUT) * 1000 + KILL_AFTER_MS,
    );
    await ended;
    clearTimeout(kill);
  }

  /** Ends `DRAIN_DELAY` of all workers. */
  skipDelay(): void {
    for (const worker of this.workers) send(worker, { kind: 'skip-delay' });
  }

  /** Starts a worker. Resolves when it listens. @throws Error with the reason if it cannot start, or exits before it listens */
  private async fork(): Promise<Started> {
    const worker = forkProcess(this.port);
    this.workers.add(worker);
    const startedAt = performance.now();
    watchHeartbeat(worker, () => this.killSilent(worker));
    return new Promise((resolve, reject) => {
      let failure: Extract<FromWorker, { kind: 'failed' }> | undefined;
      let hasListened = false;
      worker.on('error', (error) => {
        if (worker.process.pid !== undefined) return; // its exit event follows
        this.remove(worker);
        reject(cannotFork(error));
      });
      worker.on('message', (message: FromWorker) => {
        if (!('kind' in message)) return; // a message of prom-client
        if (message.kind === 'failed') failure = message;
        else if (message.kind === 'listening') {
          hasListened = true;
          this.announce(worker, message);
          resolve(message);
        } else this.receive(worker, message);
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        this.remove(worker);
        const end: WorkerEnd = { worker_pid: worker.process.pid, code, signal, reason: failure?.reason };
        reject(end.reason === undefined ? new EarlyEnd(end) : new Error(end.reason));
        if (this.isStopping) {
          if (failure?.action !== 'start') this.checkStop(end);
        } else if (hasListened) {
          this.logger.error(end, 'worker exited unexpectedly; starting a replacement');
          this.replace(performance.now() - startedAt >= SHORT_LIFE_MS);
        }
      });
    });
  }

  private killSilent({ process: child }: Worker): void {
    this.logger.error({ worker_pid: child.pid }, 'worker does not respond to the primary; killing it');
    child.kill('SIGKILL');
  }

  private remove(worker: Worker): void {
    this.workers.delete(worker);
    this.serving.delete(worker);
    if (this.workers.size === 0) this.onEmpty();
  }

  /**
   * Logs an unclean shutdown of a worker, and fails the shutdown of the service. A worker that
   * SIGTERM or SIGINT terminated had not installed its handlers yet, so its shutdown counts as clean.
   */
  private checkStop(end: WorkerEnd): void {
    if (end.code === 0 || end.signal === 'SIGTERM' || end.signal === 'SIGINT') return;
    const reason = end.reason ?? (this.isOverdue ? 'killed because it did not exit in time' : undefined);
    this.logger.error({ ...end, reason }, 'worker did not shut down cleanly');
    this.failedStops.push(`worker ${end.worker_pid}: ${reason ?? statusOf(end)}`);
  }

  /**
   * Starts a replacement, immediately or after a pause. The pause doubles while workers exit soon after startup, but is at most
   * one second while no worker serves.
   */
  private replace(hasServed: boolean): void {
    this.shortLives = hasServed ? 0 : this.shortLives + 1;
    const longest = this.serving.size > 0 ? MAX_PAUSE_MS : FIRST_PAUSE_MS;
    const pause = this.shortLives === 0 ? 0 : Math.min(longest, FIRST_PAUSE_MS * 2 ** (this.shortLives - 1));
    const timer = setTimeout(() => {
      this.pauses.delete(timer);
      this.fork().catch((error: Error) => this.tryAgain(error));
    }, pause);
    this.pauses.add(timer);
  }

  private tryAgain(error: Error): void {
    if (this.isStopping) return;
    this.logger.error({ reason: error.message }, 'worker could not start; retrying');
    this.replace(false);
  }

  private receive(worker: Worker, message: Exclude<FromWorker, { kind: 'listening' | 'failed' }>): void {
    if (message.kind === 'pong') return;
    if (message.kind === 'key-ended') {
      for (const other of this.workers) if (other !== worker) send(other, message);
      return;
    }
    if (message.kind === 'domains') this.changeDomains(message);
    else send(worker, this.count(message));
  }

  private count({ id, names, points, seconds }: Extract<FromWorker, { kind: 'count' }>): CountsReply {
    const counted = names.map((name, index) => {
      const added = points[index] ?? 0;
      return added > 0 ? this.counts.addPoints(name, added, seconds[index]) : this.counts.get(name);
    });
    const used = counted.map((count) => count?.consumedPoints ?? 0);
    return { kind: 'counted', id, used, ends_in_ms: counted.map((count) => count?.msBeforeNext ?? 0) };
  }

  /** Logs once that all workers serve, or that they serve only saved copies. */
  private announce(worker: Worker, { url, is_standby }: Started): void {
    const { WEB_CONCURRENCY: workers } = this.env;
    const version = readVersion();
    if (is_standby) {
      if (!this.isInStandby)
        this.logger.warn(
          { url, version, workers },
          `Status Pages listens on ${url} and serves only saved copies because the database is unavailable`,
        );
      this.isInStandby = true;
      return;
    }
    this.serving.add(worker);
    if (this.isAnnounced) {
      this.logger.info({ worker_pid: worker.process.pid }, 'replacement worker is ready');
      return;
    }
    if (this.serving.size < workers) return;
    this.isAnnounced = true;
    this.logger.info(
      { url, version, workers, pids: [...this.serving].map(({ process: child }) => child.pid) },
      `Status Pages listens on ${url} with ${workers} workers (documentation: ${url}/docs)`,
    );
  }
}

/** Returns a free port for PORT=0. A replacement that starts after all workers have exited must listen on the same port. */
async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
