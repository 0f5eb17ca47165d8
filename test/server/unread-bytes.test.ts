import { expect, it } from 'vitest';
import { UnreadBytes } from '../../src/platform/server/unread-bytes.js';
import { bareServer } from '../support/bare-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/server.js';

it('a client that disconnects before its response holds no bytes', async () => {
  const unread = new UnreadBytes();
  let isReserved = false;
  const { server, url } = await bareServer((request, response) => {
    connection.socket.destroy();
    response.once('close', () =>
      setImmediate(() => {
        unread.reserve(request, response, 1_000_000).sent(1_000);
        isReserved = true;
      }),
    );
  });
  const connection = new RawConnection(url).send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(async () => isReserved);
  server.close();
  expect(unread.all).toBe(0);
});
