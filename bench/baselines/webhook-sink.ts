// Webhook endpoints that accept and count all requests. GET returns the counts, `POST /` resets them. `POST /hang` gets no
// response, and `POST /late/…` one after 25 ms.
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const { HOST, PORT } = process.env;

const LATE_MS = 25;

let received = { count: 0, first: 0, last: 0, message: '' };

function count(body: string, response: ServerResponse): void {
  received.message ||= body;
  received.last = performance.now();
  received.first ||= received.last;
  received.count += 1;
  response.writeHead(204).end();
}

createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'POST' && url !== '/') {
    if (url.startsWith('/hang')) return;
    const respond = (body: string) => {
      if (url.startsWith('/late/')) setTimeout(count, LATE_MS, body, response);
      else count(body, response);
    };
    text(request).then(respond, () => response.destroy());
    return;
  }
  if (method === 'POST') received = { count: 0, first: 0, last: 0, message: '' };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(received));
}).listen(Number(PORT), HOST);
