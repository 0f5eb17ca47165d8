import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Env } from '../../src/platform/config/env.js';
import { ClientAddress } from '../../src/platform/server/client-address.js';
import { RequestEnds } from '../../src/platform/server/request-end.js';
import { RequestLog } from '../../src/platform/server/request-log.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/server.js';

/** Returns the log line of a request whose client disconnects after the server has called `respond`. */
async function abortedAfter(respond: (response: ServerResponse) => void): Promise<object> {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(line) });
  const log = new RequestLog(logger, new ClientAddress(new Env(), logger), new RequestEnds());
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const client = new RawConnection(`http://127.0.0.1:${port}`).send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  server.once('request', (request, response) => {
    log.watch(request, response);
    respond(response);
    client.socket.destroy();
  });
  await until(() => Promise.resolve(lines.length > 0));
  server.close();
  return JSON.parse(lines[0] ?? '{}');
}

describe('log line of an aborted request', () => {
  it('contains no status if no response was sent', async () => {
    const line = await abortedAfter(() => undefined);
    expect(line).toMatchObject({ level: 30, method: 'GET', path: '/', msg: 'request aborted' });
    expect(line).not.toHaveProperty('status');
  });

  it('contains the status if the response was only partly sent', async () => {
    const line = await abortedAfter((response) => response.writeHead(201).write('part'));
    expect(line).toMatchObject({ status: 201, msg: 'request aborted' });
  });
});
