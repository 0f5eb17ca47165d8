import { randomUUID } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ClaimedDelivery, Outcome } from '../../src/deliveries/channel.js';
import type { NotifiedEvent } from '../../src/events/events.service.js';
import { MailChannel } from '../../src/mail/mail-channel.js';
import { type Tenant, TestServer } from '../support/server.js';
import { type Sink, startSink } from './sink.js';

/** Columns of a subscriber. */
interface SubscriberFields {
  email?: string;
  status?: string;
  detail?: string;
  source?: string;
  monitor_ids?: string[] | null;
  maintenances?: boolean;
}

/** A server with the channel of mail, which sends to a mail server of the test. */
export class MailBench {
  readonly server = new TestServer();
  tenant: Tenant = { organization_id: '', project_id: '', key: '', key_id: '' };
  sink!: Sink;
  /** A public page that takes subscriptions. */
  page = '';

  get channel(): MailChannel {
    return this.server.app.get(MailChannel);
  }

  /** Sends a request that must succeed, and returns the resource. */
  async request<Body = { id: string }>(method: string, path: string, json?: object): Promise<Body> {
    const { key } = this.tenant;
    const { status, text, body } = await this.server.ask<{ data: Body }>(`/v1/${path}`, {
      method,
      key,
      ...(json && { json }),
    });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body?.data;
  }

  /** Creates a resource of the project, and returns its ID. */
  async create(path: string, fields: object): Promise<string> {
    return (await this.request('POST', path, { project_id: this.tenant.project_id, ...fields })).id;
  }

  async subscriber(fields: SubscriberFields = {}, status_page_id = this.page): Promise<string> {
    const id = randomUUID();
    const {
      email = `${id}@example.org`,
      status = 'active',
      detail = 'all',
      source = 'visitor',
      monitor_ids = null,
      maintenances = true,
    } = fields;
    const { organization_id, project_id } = this.tenant;
    await this.server.sql(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, detail, source,
                                monitor_ids, maintenances)
       VALUES ($1, $2, $3, $4, $5, lower($5), $6, $7, $8, $9, $10)`,
      [
        id,
        organization_id,
        project_id,
        status_page_id,
        email,
        status,
        detail,
        source,
        monitor_ids,
        maintenances,
      ],
    );
    return id;
  }

  /** Returns the newest event of a type, which the service has recorded, also if it is planned. */
  async eventOf(resource_id: string, type: string): Promise<NotifiedEvent> {
    const [event] = await this.server.sql<NotifiedEvent[]>(
      `SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at
         FROM events WHERE resource_id = $1 AND type = $2 ORDER BY created_at DESC LIMIT 1`,
      [resource_id, type],
    );
    if (!event) throw new Error(`no event ${type}`);
    return event;
  }

  /** Moves a maintenance window and its events into the past, as if this time had passed. */
  async pass(hours: number, maintenance: string): Promise<void> {
    const passed = [maintenance, `${hours} hours`];
    await this.server.sql(
      'UPDATE maintenances SET starts_at = starts_at - $2::interval, ends_at = ends_at - $2::interval WHERE id = $1',
      passed,
    );
    await this.server.sql(
      'UPDATE events SET created_at = created_at - $2::interval WHERE resource_id = $1',
      passed,
    );
  }

  async recipientsOf(event: NotifiedEvent): Promise<string[]> {
    const start = { page_id: null, recipient_id: null };
    const { manager } = this.server.app.get(DataSource);
    return (await this.channel.recipientsOf(event, start, 1_000, manager)).ids;
  }

  delivery(recipient_id: string, event: NotifiedEvent | string, attempts = 1): ClaimedDelivery {
    const { organization_id, project_id } = this.tenant;
    const isKind = typeof event === 'string';
    const id = randomUUID();
    const what = isKind ? { kind: event, event_id: null } : { kind: 'event', event_id: event.id };
    return { id, organization_id, project_id, recipient_id, attempts, lease: 1, ...what };
  }

  /** Sends deliveries at the same time, and returns their outcomes in the order in which they end. */
  async sendAll(deliveries: ClaimedDelivery[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const sendOne = await this.channel.prepare(deliveries);
    await Promise.all(deliveries.map(async (delivery) => outcomes.push(await sendOne(delivery))));
    await this.channel.afterBatch(true);
    return outcomes;
  }

  /**
   * Sends one message, and returns its outcome.
   * @param event an event, or the kind of a message that no event causes
   */
  async send(recipient: string, event: NotifiedEvent | string): Promise<Outcome | undefined> {
    const [outcome] = await this.sendAll([this.delivery(recipient, event)]);
    return outcome;
  }

  /** Parses the message that the mail server received last. */
  async last(): Promise<ParsedMail> {
    return simpleParser(this.sink.received.at(-1)?.message ?? '');
  }
}

/** A bench for the tests of a file. The mail server forgets what it has received before each test. */
export function useMailBench(env: Record<string, string> = {}): MailBench {
  const bench = new MailBench();
  beforeAll(async () => {
    bench.sink = await startSink();
    await bench.server.start({
      SMTP_URL: bench.sink.url,
      MAIL_FROM: 'Acme Status <status@example.com>',
      PUBLIC_URL: 'https://status.example.com',
      ...env,
    });
    bench.tenant = await bench.server.tenant();
    bench.page = await bench.create('status-pages', {
      name: 'Acme Cloud',
      slug: 'acme',
      is_public: true,
      subscribe_enabled: true,
    });
  });
  beforeEach(() => {
    bench.sink.received.length = 0;
    bench.sink.refusal = undefined;
    bench.sink.next = undefined;
  });
  afterAll(async () => {
    await bench.server.stop();
    await bench.sink.close();
  });
  return bench;
}
