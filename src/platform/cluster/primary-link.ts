import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { CountsReply, FromPrimary, FromWorker } from './messages.js';

interface Events {
  'skip-delay': [];
  'key-ended': [];
  counted: [CountsReply];
}

/**
 * The link of a worker to the primary. In a process that is not a worker, it sends nothing and receives nothing.
 *
 *     primaryLink.on('key-ended', () => this.forget());
 *     await primaryLink.send({ kind: 'key-ended' });
 */
class PrimaryLink extends EventEmitter<Events> {
  constructor() {
    super();
    if (cluster.isWorker) process.on('message', (message: FromPrimary) => this.receive(message));
  }

  /** Resolves when the message is written. Resolves also if the primary has ended: the worker ends then, too. */
  async send(message: FromWorker): Promise<void> {
    if (!cluster.isWorker || !process.connected) return;
    await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));
  }

  private receive(message: FromPrimary): void {
    if (!('kind' in message)) return; // of prom-client
    if (message.kind === 'ping') void this.send({ kind: 'pong' });
    else if (message.kind === 'counted') this.emit(message.kind, message);
    else this.emit(message.kind);
  }
}

export const primaryLink = new PrimaryLink();
