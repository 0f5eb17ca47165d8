import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { createTransport, SendMailOptions } from 'nodemailer';
import type { Logger } from 'pino';
import { Env } from '../platform/config/env.js';
import { canSendMail } from '../platform/config/mail-env.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { MailFiles } from './mail-files.js';
import { addressOf, isSafeAddress, type MailMessage, toNodemailer } from './mail-message.js';
import { type MailResult, resultOfError } from './mail-result.js';
import { smtpOptions } from './smtp-options.js';

/** Maximum duration of an attempt. Less than the lease of a delivery (one minute), so that no other process sends it as well. */
const DEADLINE_MS = 50_000;

/** Header fields that the DKIM signature covers, if the message has them. Both of List-Unsubscribe are required by RFC 8058. */
const SIGNED_FIELDS = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Auto-Submitted',
  'Precedence',
].join(':');

/** Key of the DKIM signature. */
interface DkimKey {
  domainName: string;
  keySelector: string;
  privateKey: string;
  headerFieldNames: string;
}

/** A way to send: `send` returns the message if it was not sent, but has to be written to a file. */
interface Sender {
  send: (mail: SendMailOptions) => Promise<Buffer | undefined>;
  close: () => void;
}

/** Sends mail to the server of `SMTP_URL`, or writes it to files in `MAIL_DIR`. */
@Injectable()
export class MailTransport implements OnModuleInit, OnApplicationShutdown {
  private readonly files: MailFiles | undefined;
  private sender: Sender | undefined;

  constructor(
    private readonly env: Env,
    private readonly publicUrl: PublicUrl,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    if (env.MAIL_DIR !== undefined) this.files = new MailFiles(env.MAIL_DIR);
  }

  /** Whether mail can be sent. */
  get isConfigured(): boolean {
    return canSendMail(this.env);
  }

  /** Whether mail is written to files in `MAIL_DIR`, for development. */
  get writesFiles(): boolean {
    return this.files !== undefined;
  }

  /** Full path of `MAIL_DIR`, or undefined. */
  get directory(): string | undefined {
    return this.env.MAIL_DIR === undefined ? undefined : resolve(this.env.MAIL_DIR);
  }

  async onModuleInit(): Promise<void> {
    if (!this.isConfigured) return;
    const dkim = this.dkim();
    const { SMTP_URL } = this.env;
    const { createTransport: create } = await import('nodemailer'); // loading it takes 40 ms
    this.sender = SMTP_URL === undefined ? fileSender(create, dkim) : smtpSender(create, SMTP_URL, dkim);
  }

  onApplicationShutdown(): void {
    this.sender?.close();
  }

  /** Sends a message. Never throws. The result is known within 50 seconds. */
  async send(message: MailMessage): Promise<MailResult> {
    const { sender } = this;
    if (!sender) return { kind: 'deferred', reason: 'no mail server', slow_down: 'channel' };
    if (!isSafeAddress(message.to)) return { kind: 'refused', reason: 'invalid address', bounce: 'final' };
    const from = this.env.MAIL_FROM ?? `status@${this.host}`;
    const mail = toNodemailer(message, from, addressOf(from).split('@')[1] ?? this.host);
    // nodemailer then closes the connection, so that the message is not sent after the attempt.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), DEADLINE_MS);
    try {
      const unsent = await sender.send({ ...mail, signal: deadline.signal });
      if (unsent) await this.write(unsent, message.to);
      return { kind: 'accepted' };
    } catch (error) {
      return resultOfError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async write(message: Buffer, to: string): Promise<void> {
    const file = await this.files?.write(message, to);
    if (file !== undefined) this.logger.info({ file }, 'mail written to a file');
  }

  private get host(): string {
    return new URL(this.publicUrl.value).hostname;
  }

  private dkim(): DkimKey | undefined {
    const { DKIM_DOMAIN, DKIM_SELECTOR, DKIM_KEY_FILE } = this.env;
    if (DKIM_DOMAIN === undefined || DKIM_SELECTOR === undefined || DKIM_KEY_FILE === undefined)
      return undefined;
    return {
      domainName: DKIM_DOMAIN,
      keySelector: DKIM_SELECTOR,
      privateKey: readFileSync(DKIM_KEY_FILE, 'utf8'),
      headerFieldNames: SIGNED_FIELDS,
    };
  }
}

function smtpSender(create: typeof createTransport, url: string, dkim: DkimKey | undefined): Sender {
  const transport = create({ ...smtpOptions(url), ...(dkim && { dkim }) });
  return {
    send: async (mail) => {
      await transport.sendMail(mail);
      return undefined;
    },
    close: () => transport.close(),
  };
}

function fileSender(create: typeof createTransport, dkim: DkimKey | undefined): Sender {
  const transport = create({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...(dkim && { dkim }),
  });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail({ ...mail, text: asIs(mail.text) });
      if (!Buffer.isBuffer(message)) throw new Error('the message is a stream');
      return message;
    },
    close: () => transport.close(),
  };
}

/** Header of a text that is not encoded. */
const UNENCODED = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n';

/** Returns a text that is not encoded, so that people can copy its long links from the file. */
function asIs(text: SendMailOptions['text']): SendMailOptions['text'] {
  return typeof text === 'string' ? { raw: UNENCODED + text.replaceAll(/\r?\n/g, '\r\n') } : text;
}
