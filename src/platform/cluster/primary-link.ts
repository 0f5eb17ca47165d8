import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { CountsReply, FromPrimary, FromWorker } from './messages.js';

interface Events {
  'skip-delay': [];
  'key-ended': [];
  counted: [CountsReply];
}

/**
 * Link of a worker to the primary. In a process that is not a worker, it neither sends nor receives.
 *
 *     primaryLink.on('key-ended', () => this.forget());
 *     await primaryLink.send({ kind: 'key-ended' });
 */
class PrimaryLink extends EventEmitter<Events> {
  constructor() {
    super();
    if (cluster.isWorker) process.on('message', (message: FromPrimary) => this.receive(message));
  }

  /** Resolves when the message is written. Also resolves if the primary has exited, because the worker then also exits. */
  async send(message: FromWorker): Promise<void> {
    if (!cluster.isWorker || !process.connected) return;
    await new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()));
  }

  private receive(message: FromPrimary): void {
    if (!('kind' in message)) return; // a message of prom-client
    if (message.kind === 'ping') void this.send({ kind: 'pong' });
    else if (message.kind === 'counted') this.emit(message.kind, message);
    else this.emit(message.kind);
  }
}

export const primaryLink = new PrimaryLink();
