import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A free port of 127.0.0.1. It is below the range that Linux uses for outgoing connections and for `listen(0)`, so it
 * stays free until the test needs it, and after a shutdown.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // in use
    }
    await once(server.close(), 'close');
    return port;
  }
}

/** Whether a server listens on a port of 127.0.0.1. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
