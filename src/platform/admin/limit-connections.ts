import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the open connections of a server, and still accepts every new one. At the maximum, closes the connection that has had no
 * request in progress for the longest time, such as one without complete headers. If all have one, closes the one whose request is
 * the oldest.
 */
export function limitConnections(server: Server, maximum: number): void {
  const idle = new Set<Socket>(); // both in the order in which they were added
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    if (idle.size + busy.size >= maximum) {
      const [oldest] = idle.size > 0 ? idle : busy;
      if (oldest) forget(oldest);
      oldest?.destroy();
    }
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (socket.destroyed) return;
    forget(socket);
    busy.add(socket);
    response.once('close', () => {
      if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    });
  });
  const forget = (socket: Socket) => {
    idle.delete(socket);
    busy.delete(socket);
  };
}
