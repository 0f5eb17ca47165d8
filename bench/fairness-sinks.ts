import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const POLL_MS = 5;
/** Time after which a message counts as lost. */
const LOST_MS = 120_000;

/** A mail server and webhook endpoints that count what the victim gets. Endpoints below `/hang` do not respond. */
export class FairnessSinks {
  private webhooks = 0;
  private mails = 0;

  private constructor(
    private readonly http: ReturnType<typeof createServer>,
    private readonly smtp: SMTPServer,
  ) {}

  static async start(): Promise<FairnessSinks> {
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      onData: (stream, session, done) => {
        stream.resume();
        stream.once('end', () => {
          if (session.envelope.rcptTo.some(({ address }) => address.startsWith('victim-'))) sinks.mails += 1;
          done();
        });
      },
    });
    smtp.on('error', () => undefined); // a client disconnected
    const http = createServer((request, response) => {
      const { url = '' } = request;
      request.resume();
      if (url.startsWith('/hang')) return;
      if (url.startsWith('/victim')) sinks.webhooks += 1;
      response.writeHead(204).end();
    });
    const sinks = new FairnessSinks(http, smtp);
    http.listen(0, '127.0.0.1');
    smtp.listen(0, '127.0.0.1');
    await Promise.all([once(http, 'listening'), once(smtp.server, 'listening')]);
    return sinks;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.http.address())}`;
  }

  get smtpUrl(): string {
    return `smtp://127.0.0.1:${portOf(this.smtp.server.address())}`;
  }

  /**
   * Returns the milliseconds until the victim has its webhook, and all its mails.
   * @param send causes the messages
   */
  async times(mails: number, send: () => Promise<unknown>): Promise<{ webhook: number; mail: number }> {
    [this.webhooks, this.mails] = [0, 0];
    const started = performance.now();
    await send();
    let webhook = NaN;
    while (Number.isNaN(webhook) || this.mails < mails) {
      const passed = performance.now() - started;
      if (passed > LOST_MS)
        throw new Error(`${this.webhooks} webhooks and ${this.mails} mails of the victim`);
      if (this.webhooks > 0 && Number.isNaN(webhook)) webhook = passed;
      await delay(POLL_MS);
    }
    return { webhook, mail: performance.now() - started };
  }

  stop(): void {
    this.smtp.close();
    this.http.close();
    this.http.closeAllConnections();
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
