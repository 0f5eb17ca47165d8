// A mail server in its own process: `fork('mail-server.mjs', [port, ledger])`. It appends a line to the file `ledger` before it
// accepts a message, so that no kill can lose it. A message of the parent process replaces its rules (`mail-server.ts`).
import { appendFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const [port, ledger] = process.argv.slice(2);
let rules = [];
let mostConnections = 0;

/** The next rule for a recipient, which counts as used. */
function take(at, address = '') {
  const rule = rules.find((one) => one.at === at && one.times !== 0 && address.startsWith(one.to ?? ''));
  if (rule?.times !== undefined) rule.times -= 1;
  return rule;
}

function record(receipt) {
  appendFileSync(ledger, `${JSON.stringify(receipt)}\n`);
}

function rejection(rule, to) {
  if (rule?.reply === undefined) return;
  const [responseCode, reply] = rule.reply;
  record({ kind: 'rejected', to, code: responseCode });
  return Object.assign(new Error(reply), { responseCode });
}

function header(message, name) {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
}

/** Returns an error if it rejects the message. */
async function receive(stream, session) {
  const [{ address: to }] = session.envelope.rcptTo;
  const message = await text(stream);
  const rule = take('data', to);
  const error = rejection(rule, to);
  if (error) return error;
  if (rule?.fault === 'hang') return new Promise(() => {});
  record({
    kind: 'accepted',
    to,
    subject: header(message, 'Subject'),
    message_id: header(message, 'Message-ID'),
    at: Date.now(),
  });
  if (rule?.fault === 'die') process.kill(process.pid, 'SIGKILL');
  if (rule?.late_ms !== undefined) await delay(rule.late_ms);
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  closeTimeout: 1,
  onConnect: (_session, done) => {
    mostConnections = Math.max(mostConnections, server.connections.size);
    done(rejection(take('connect'), ''));
  },
  onRcptTo: ({ address }, _session, done) => done(rejection(take('rcpt', address), address)),
  onData: async (stream, session, done) => {
    done(await receive(stream, session).catch((error) => error)); // also if the client has disconnected
  },
});
server.on('error', () => undefined); // a client disconnected
server.listen(Number(port), '127.0.0.1', () => process.send('listens'));

process.on('message', (message) => {
  if (message.rules) ({ rules } = message);
  process.send({ connections: server.connections.size, most_connections: mostConnections });
});
process.on('disconnect', () => process.exit());
