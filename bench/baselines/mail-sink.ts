// A mail server that accepts and counts all messages. GET returns the counts, POST resets them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';

const { HOST, PORT } = process.env;

/** The message whose text is kept. */
let first: unknown;
let received = { count: 0, first: 0, last: 0, message: '' };

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onData: (stream, _session, done) => {
    const isFirst = first === undefined;
    if (isFirst) first = stream;
    stream.on('data', (chunk: Buffer) => {
      if (isFirst) received.message += chunk.toString();
    });
    stream.once('end', () => {
      received.last = performance.now();
      received.first ||= received.last;
      received.count += 1;
      done();
    });
  },
});
smtp.on('error', () => undefined); // a client disconnected
smtp.listen(0, HOST);
await once(smtp.server, 'listening');
const address = smtp.server.address();
const port = typeof address === 'object' ? address?.port : undefined;

createServer((request, response) => {
  if (request.method === 'POST') {
    first = undefined;
    received = { count: 0, first: 0, last: 0, message: '' };
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ url: `smtp://${HOST}:${port}`, ...received }));
}).listen(Number(PORT), HOST);
