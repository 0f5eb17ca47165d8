import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Effect of the proxy on the bytes of a connection. */
export type Behavior =
  | { kind: 'forward' }
  /** Delivers each piece later. */
  | { kind: 'delay'; ms: number }
  /** Delivers so many bytes a second in each direction. */
  | { kind: 'drip'; bytesPerSecond: number }
  /** Delivers nothing but accepts new connections. Connections opened or used in this mode never recover. */
  | { kind: 'black-hole' }
  /** Delivers the client's bytes, but not the responses. */
  | { kind: 'swallow-answers' }
  /** Resets new connections. */
  | { kind: 'refuse' };

const DRIPS_PER_SECOND = 10;

/**
 * A TCP proxy that simulates network faults:
 *
 * const proxy = await TcpProxy.start(5432);
 * proxy.become({ kind: 'drip', bytesPerSecond: 1_000 });
 */
export class TcpProxy {
  private behavior: Behavior = { kind: 'forward' };
  private readonly pairs = new Set<{ near: Socket; far: Socket; isLost: boolean }>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param target the port on 127.0.0.1 to which it connects */
  static async start(target: number): Promise<TcpProxy> {
    // A half-closed connection stays half-closed, because each side ends independently.
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const proxy = new TcpProxy(server, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', (near) => proxy.join(near, target));
    return proxy;
  }

  /** The same URL through the proxy. */
  through(url: string): string {
    const own = new URL(url);
    own.host = `127.0.0.1:${this.port}`;
    return own.href.replace(/\/$/, url.endsWith('/') ? '/' : '');
  }

  /**
   * Changes the behavior, including for open connections. Connections of a black hole are reset when it ends.
   */
  become(behavior: Behavior): void {
    this.behavior = behavior;
    for (const pair of this.pairs) {
      if (behavior.kind === 'black-hole') pair.isLost = true;
      else if (pair.isLost) for (const socket of [pair.near, pair.far]) socket.resetAndDestroy();
    }
  }

  /** Closes all connections. Both sides receive the end of the stream. */
  cut(): void {
    for (const { near, far } of this.pairs) for (const socket of [near, far]) socket.destroy();
  }

  /** Resets all connections. Both sides get ECONNRESET. */
  reset(): void {
    for (const { near, far } of this.pairs) for (const socket of [near, far]) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.reset();
    await once(this.server.close(), 'close');
  }

  private join(near: Socket, target: number): void {
    if (this.behavior.kind === 'refuse') return void near.resetAndDestroy();
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { near, far, isLost: this.behavior.kind === 'black-hole' };
    this.pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('error', () => undefined);
      from.once('close', () => {
        this.pairs.delete(pair);
        if (!pair.isLost) to.destroy();
      });
      this.forward(pair, from, to).catch(() => to.destroy());
    }
  }

  private async forward(pair: { near: Socket; isLost: boolean }, from: Socket, to: Socket): Promise<void> {
    for await (const data of from) {
      if (!Buffer.isBuffer(data)) continue;
      const { behavior } = this;
      if (pair.isLost || (behavior.kind === 'swallow-answers' && to === pair.near)) continue;
      if (behavior.kind === 'delay') await delay(behavior.ms);
      if (behavior.kind === 'drip') await this.drip(data, to);
      else if (!pair.isLost && !to.write(data)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    }
    if (!pair.isLost) to.end();
  }

  private async drip(data: Buffer, to: Socket): Promise<void> {
    for (let rest = data; rest.length > 0;) {
      const { behavior } = this;
      const size = behavior.kind === 'drip' ? behavior.bytesPerSecond / DRIPS_PER_SECOND : rest.length;
      to.write(rest.subarray(0, size));
      rest = rest.subarray(size);
      if (behavior.kind === 'drip') await delay(1_000 / DRIPS_PER_SECOND);
    }
  }
}
