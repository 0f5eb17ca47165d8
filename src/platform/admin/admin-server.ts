import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { threadPath } from '../config/project-files.js';
import type { DomainChanges } from '../cluster/messages.js';
import type { AdminOptions, FromThread, Question, ToThread } from './admin.worker.js';
import { DomainSet } from './domain-set.js';

const HEARTBEAT_MS = 250;
/**
 * Longer than any work that blocks the event loop in normal operation. Time in which the process is suspended, such as by a
 * debugger, counts.
 */
const STUCK_MS = 10_000;
/** Shorter than the default timeout of a scrape in Prometheus, 10 s. */
const ANSWER_MS = 8_000;

const ENTRY = threadPath('platform/admin/admin.worker.js');

/** Functions of the main thread that the server calls. */
export interface AdminSources {
  /** Returns the metrics in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Returns whether the service can serve requests. An error counts as false. */
  ready(): Promise<boolean>;
}

/**
 * Admin server: an HTTP server for operators, in a separate thread, with `/metrics`, `/health/live`, `/health/ready` and `/tls/ask`,
 * which shows for which domains a proxy may obtain certificates.
 * Liveness does not wait for the event loop of the main thread, but returns 503 if the event loop has been stuck for 10 s.
 *
 *     const admin = new AdminServer({ metrics: () => registry.metrics(), ready: async () => true });
 *     const port = await admin.listen(9464, '127.0.0.1');
 */
export class AdminServer {
  private readonly heartbeat = new BigInt64Array(new SharedArrayBuffer(8));
  private readonly domains = new DomainSet();
  private worker: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param stuckMs the time without a heartbeat after which the main thread is considered stuck, in milliseconds */
  constructor(
    private readonly sources: AdminSources,
    private readonly stuckMs = STUCK_MS,
  ) {}

  /** @returns the port. @throws Error if the address is in use */
  async listen(port: number, host: string): Promise<number> {
    this.beat();
    this.timer = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
    const { heartbeat, stuckMs } = this;
    const domains = this.domains.all();
    const workerData: AdminOptions = { host, port, heartbeat, stuckMs, answerMs: ANSWER_MS, domains };
    const worker = new Worker(ENTRY, {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    this.worker = worker;
    const [first]: FromThread[] = await once(worker, 'message');
    if (!first || !('port' in first)) {
      await this.close();
      throw first && 'error' in first ? first.error : new Error('the admin server did not start');
    }
    worker.on('message', (message: FromThread) => {
      if ('question' in message) void this.answer(worker, message.id, message.question);
    });
    worker.on('error', () => undefined); // health checks fail, but requests are served
    worker.unref();
    return first.port;
  }

  /** Changes the domains for which a proxy may obtain certificates, before or after {@link listen}. */
  changeDomains(changes: DomainChanges): void {
    this.domains.change(changes);
    if (this.worker) this.post(this.worker, { domains: changes });
  }

  /** Frees the port. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private beat(): void {
    Atomics.store(this.heartbeat, 0, process.hrtime.bigint());
  }

  private async answer(worker: Worker, id: number, question: Question): Promise<void> {
    this.post(worker, { id, text: await this.find(question).catch(() => undefined) });
  }

  private post(worker: Worker, message: ToThread): void {
    worker.postMessage(message, []);
  }

  private async find(question: Question): Promise<string | undefined> {
    if (question === 'metrics') return this.sources.metrics();
    return (await this.sources.ready()) ? '' : undefined;
  }
}

/** Opens the admin port, and logs its address. @throws Error with the names of the variables if the address is in use */
export async function openAdminPort(
  server: AdminServer,
  port: number,
  host: string,
  logger: Logger,
): Promise<void> {
  const found = await server.listen(port, host).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}. Set another ADMIN_HOST or ADMIN_PORT`, { cause: error });
  });
  const admin_url = `http://${host.includes(':') ? `[${host}]` : host}:${found}`;
  logger.info({ admin_url }, `admin server is available at ${admin_url}`);
}
