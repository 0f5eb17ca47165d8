// Webhook endpoints in a process of their own: `fork('webhook-server.mjs', [port, ledger, tlsPort, certificate, key, closedPort])`. It
// appends a line to the file `ledger` before it responds, so that no kill can lose it. A message of the parent process replaces
// the faults (`webhook-server.ts`).
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const [port, ledger, tlsPort, certificate, key, closedPort] = process.argv.slice(2);
/** By endpoint, which is the first part of the path. */
let faults = {};
let connections = 0;
let most = 0;

/** Responds to a request that is recorded. */
const SUCCESSES = {
  large: (response) => {
    response.on('error', () => undefined);
    response.end(Buffer.alloc(10 * 1024 * 1024, 'x'));
  },
  slow: (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 100);
    response.once('close', () => clearInterval(timer));
  },
  old: (response) => response.socket.end('HTTP/1.0 200 OK\r\n\r\nok'),
  'early-body': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x', () => response.socket.destroy());
  },
};

/** Failures, after which the request is sent again. */
const FAILURES = {
  hang: () => undefined,
  early: (response) => response.socket.destroy(),
  'slow-head': ({ socket }) => {
    const bytes = [...'HTTP/1.1 204 No Content\r\n\r\n'];
    const timer = setInterval(() => socket.write(bytes.shift() ?? ''), 1_000);
    socket.once('close', () => clearInterval(timer));
    socket.on('error', () => undefined);
  },
  500: (response) => response.writeHead(500).end(),
};

function respond(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const endpoint = request.url.split('/')[1];
    const fault = faults[endpoint];
    const isAccepted = !Object.hasOwn(FAILURES, fault);
    const { headers } = request;
    const { type } = JSON.parse(Buffer.concat(chunks).toString());
    const line = { endpoint, id: headers['webhook-id'], type, is_accepted: isAccepted };
    appendFileSync(ledger, `${JSON.stringify(line)}\n`);
    if (isAccepted) (SUCCESSES[fault] ?? (() => response.writeHead(204).end()))(response);
    else FAILURES[fault](response);
  });
}

function count(socket) {
  connections += 1;
  most = Math.max(most, connections);
  socket.once('close', () => (connections -= 1));
  socket.on('error', () => undefined); // the client was killed
}

createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, respond)
  .on('connection', count)
  .listen(Number(tlsPort), '127.0.0.1');
if (closedPort) createServer(respond).on('connection', count).listen(Number(closedPort), '127.0.0.1');
createServer(respond)
  .on('connection', count)
  .listen(Number(port), '127.0.0.1', () => process.send('listens'));

process.on('message', (message) => {
  if (message.faults) ({ faults } = message);
  process.send({ connections, most_connections: most });
});
process.on('disconnect', () => process.exit());
