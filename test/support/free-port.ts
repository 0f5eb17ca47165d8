import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A port of 127.0.0.1 on which nothing listens. It is below the range from which Linux takes the ports of outgoing connections
 * and of `listen(0)`: so it is still free when the test needs it, and after a stop.
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

/** Whether something listens on a port of 127.0.0.1. */
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
