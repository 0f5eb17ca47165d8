import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** An HTTP server without the application, on a free port. */
export async function bareServer(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}
