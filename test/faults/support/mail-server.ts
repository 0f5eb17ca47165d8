import { afterEach } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { LedgerProcess } from './ledger-process.js';

/** Treatment of recipients. The first rule that applies counts. Without a rule, the mail server accepts. */
export interface Rule {
  at: 'connect' | 'rcpt' | 'data';
  /** Beginning of the address. Default: all. */
  to?: string;
  /** Status code and text of the rejection. */
  reply?: [code: number, text: string];
  /** `hang`: no response to the message; `die`: it dies between accepting the message and its response. */
  fault?: 'hang' | 'die';
  /** Time from accepting the message to the response, in milliseconds. */
  late_ms?: number;
  /** Number of times that the rule applies. Default: always. */
  times?: number;
}

/** A message as the ledger identifies it. */
export interface Message {
  to: string;
  subject: string;
  message_id: string;
}

/** A message for which the mail server is responsible. */
export interface Receipt extends Message {
  /** When the mail server accepted it. */
  at: number;
}

type Line = ({ kind: 'accepted' } & Receipt) | { kind: 'rejected'; to: string; code: number };

/** A mail server. Its ledger outlives kills of the server and of the processes that send. */
export class MailServer extends LedgerProcess<Line> {
  static async start(): Promise<MailServer> {
    const directory = await LedgerProcess.directory('mail');
    const server = new MailServer('mail-server.mjs', directory, await freePort());
    await server.restart();
    return server;
  }

  /** Starts it again on the same port, without rules. */
  async restart(): Promise<void> {
    await this.launch();
  }

  /** The variables of a service that sends to this server without a delay. */
  get env(): Record<string, string> {
    const SMTP_URL = `smtp://127.0.0.1:${this.port}`;
    return { SMTP_URL, MAIL_FROM: 'status@example.com', NOTIFY_DELAY: '0', DELIVERY: 'on' };
  }

  async obey(...rules: Rule[]): Promise<void> {
    await this.ask({ rules });
  }

  /** The accepted messages in their order. */
  async receipts(): Promise<Receipt[]> {
    return (await this.lines()).filter((line) => line.kind === 'accepted');
  }

  /** The rejected recipients in their order. */
  async rejected(): Promise<{ to: string; code: number }[]> {
    return (await this.lines()).filter((line) => line.kind === 'rejected');
  }

  /** Waits until it has accepted `count` messages in total. */
  async accepts(count: number): Promise<void> {
    await this.waitFor(async () => (await this.receipts()).length >= count, `${count} messages`);
  }
}

/** Starts mail servers, which end with the test. */
export function useMailServers(): { start: () => Promise<MailServer> } {
  const started: MailServer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.destroy()));
  });
  return {
    start: async () => {
      const server = await MailServer.start();
      started.push(server);
      return server;
    },
  };
}
