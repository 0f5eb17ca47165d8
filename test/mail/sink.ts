import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

type SMTPConnection = SMTPServer['connections'] extends Set<infer Connection> ? Connection : never;

/** Rejection by the mail server. */
export interface Refusal {
  at: 'MAIL' | 'RCPT' | 'DATA';
  code: number;
  text: string;
}

/** A mail server that stores or rejects the messages that it receives. */
export interface Sink {
  url: string;
  /** `is_utf8`: the client used SMTPUTF8 (RFC 6531), because an address is not in ASCII. */
  received: { to: string[]; message: Buffer; is_utf8: boolean }[];
  refusal: Refusal | undefined;
  /** Response to the next message. `hang`: none; `drop`: the connection is closed instead; a number: after milliseconds. */
  next: 'hang' | 'drop' | number | undefined;
  /** Returns the number of open connections. */
  connections: () => number;
  close: () => Promise<void>;
}

interface SinkOptions {
  /** Whether it accepts no addresses with other characters than ASCII. */
  hideSMTPUTF8?: boolean;
  /** Milliseconds after which it closes an idle connection. */
  socketTimeout?: number;
}

const greeted = new WeakSet<SMTPConnection>();

/** Greets a client immediately. `smtp-server` waits 100 ms for clients that send before its greeting. */
function greet(connection: SMTPConnection): void {
  if (greeted.has(connection)) return;
  greeted.add(connection);
  connection.connectionReady();
  connection.connectionReady = () => undefined;
}

export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const refuse = (at: Refusal['at']) => {
    const { refusal } = sink;
    return refusal?.at === at
      ? Object.assign(new Error(refusal.text), { responseCode: refusal.code })
      : undefined;
  };
  const server = new SMTPServer({
    ...options,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onMailFrom: (_address, _session, done) => done(refuse('MAIL')),
    onRcptTo: (_address, _session, done) => done(refuse('RCPT')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const error = refuse('DATA');
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const { mailFrom } = session.envelope;
        const is_utf8 =
          mailFrom !== false && mailFrom.args !== false && Object.hasOwn(mailFrom.args, 'SMTPUTF8');
        if (!error) sink.received.push({ to, message: Buffer.concat(chunks), is_utf8 });
        const { next } = sink;
        sink.next = undefined;
        if (next === 'drop') for (const socket of sockets) socket.destroy();
        else if (next !== 'hang') setTimeout(() => done(error), next ?? 0);
      });
    },
  });
  server.on('error', () => undefined); // a client disconnected
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    setImmediate(() => server.connections.forEach(greet));
  });
  const sink: Sink = {
    url: '',
    received: [],
    refusal: undefined,
    next: undefined,
    connections: () => sockets.size,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  sink.url = `smtp://127.0.0.1:${address.port}`;
  return sink;
}
