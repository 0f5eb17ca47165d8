import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from './mail-server.js';
import type { Service } from './service.js';

/** Longer than the lease of a delivery, which is a minute. */
const MAX_WAIT_MS = 180_000;

/** Runs a statement on the database of the service. */
export type Sql = <Row extends Record<string, unknown>>(statement: string) => Promise<Row[]>;

/** A delivery with its recipient and its subject, as in the ledger of the mail server. */
interface Delivery extends Record<string, unknown> {
  to: string;
  subject: string;
  status: string;
  attempts: number;
  error: string | null;
  /** Seconds until the next attempt. */
  due_in: number;
}

/** Identifies a message, also if it is sent again. */
export const keyOf = ({ to, subject }: Pick<Message, 'to' | 'subject'>): string => `${to}: ${subject}`;

/**
 * Subscribers of a status page. Besides the active ones it has pending, suppressed and erased ones, who must not get mail.
 * `expectDelivered` compares what should have been sent with the ledger of the mail server.
 */
export class Audience {
  private readonly subjects: string[] = [];

  private constructor(
    private readonly name: string,
    private service: Service,
    private readonly sql: Sql,
    readonly project: string,
    readonly page: string,
    /** Addresses that should get everything. */
    readonly active: Set<string>,
  ) {}

  /**
   * Creates a page with subscribers. `active` contains the numbers of active ones by the beginnings of their addresses.
   * @param name of the page, in the subject of each mail. Unique in the database.
   */
  static async create(
    service: Service,
    sql: Sql,
    active: Record<string, number>,
    name = 'Acme',
  ): Promise<Audience> {
    const project_id = await create(service, '/v1/projects', { name });
    const json = {
      project_id,
      name,
      slug: `${name.toLowerCase()}-with-mail`,
      is_public: true,
      subscribe_enabled: true,
    };
    const page = await create(service, '/v1/status-pages', json);
    const addresses = new Set<string>();
    const others = { pending: 20, suppressed: 20, erased: 20 };
    for (const [kind, count] of Object.entries({ ...active, ...others })) {
      const status = kind === 'pending' || kind === 'suppressed' ? kind : 'active';
      await sql(`
        INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, suppressed_reason, source)
        SELECT gen_random_uuid(), organization_id, project_id, id, address, address, '${status}',
               ${status === 'suppressed' ? `'bounced'` : 'NULL'}, 'api'
          FROM status_pages
         CROSS JOIN LATERAL (SELECT '${kind}-' || n || '@example.org' FROM generate_series(1, ${count}) AS n) AS new (address)
         WHERE id = '${page}'`);
      if (kind in active) for (let n = 1; n <= count; n++) addresses.add(`${kind}-${n}@example.org`);
    }
    const audience = new Audience(name, service, sql, project_id, page, addresses);
    await audience.erase('erased-');
    return audience;
  }

  /** Uses another server of the same database. */
  with(service: Service): this {
    this.service = service;
    return this;
  }

  /** Creates incidents, each of which is an event for the whole audience. */
  async happen(...titles: string[]): Promise<void> {
    for (const title of titles) {
      const json = { project_id: this.project, title, status: 'investigating', body: 'We look into it.' };
      await create(this.service, '/v1/incidents', { ...json, status_page_ids: [this.page] });
      this.subjects.push(`[${this.name}] ${title}`);
    }
  }

  /** Plans a maintenance window of an hour, which is an event now, and two more at its start and its end. Returns its start. */
  async plan(title: string, inMs: number): Promise<Date> {
    const starts_at = new Date(Date.now() + inMs);
    const ends_at = new Date(starts_at.getTime() + 3_600_000);
    const json = { project_id: this.project, title, starts_at, ends_at, status_page_ids: [this.page] };
    await create(this.service, '/v1/maintenances', json);
    return starts_at;
  }

  /** Erases subscribers as an operator does. */
  async erase(beginning: string): Promise<void> {
    await this.sql(
      `DELETE FROM subscribers WHERE status_page_id = '${this.page}' AND email LIKE '${beginning}%'`,
    );
    this.leaves(beginning);
  }

  async suppress(beginning: string): Promise<void> {
    await this.sql(
      `UPDATE subscribers SET status = 'suppressed', suppressed_reason = 'complained' WHERE email LIKE '${beginning}%'`,
    );
    this.leaves(beginning);
  }

  /** No longer expects that these addresses get mail, nor what they have got so far. */
  leaves(beginning: string): void {
    for (const address of this.active) if (address.startsWith(beginning)) this.active.delete(address);
  }

  /** The deliveries of incidents that meet a condition. */
  async deliveries(condition: string): Promise<Delivery[]> {
    return this.sql<Delivery>(`
      SELECT subscribers.email AS "to", '[${this.name}] ' || incidents.title AS subject, deliveries.status, attempts, error,
             extract(epoch FROM deliveries.due_at - clock_timestamp())::double precision AS due_in
        FROM deliveries
        JOIN subscribers ON subscribers.id = recipient_id
        JOIN events ON events.id = event_id
        JOIN incidents ON incidents.id = events.resource_id
       WHERE subscribers.status_page_id = '${this.page}' AND ${condition}
       ORDER BY subscribers.email`);
  }

  /**
   * Makes retries due, of which the first one waits a minute, the others longer. Does not touch deliveries that a process is
   * sending.
   */
  async hurry(): Promise<void> {
    await this.sql(`
      UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001)
       WHERE status = 'pending' AND error IS NOT NULL
         AND due_at > CASE attempts WHEN 1 THEN now() ELSE now() + interval '2 minutes' END`);
  }

  /** Ends the leases of processes that do not run, as time does within a minute. */
  async endLeases(): Promise<void> {
    await this.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE status = 'pending' AND due_at > now()`,
    );
  }

  /** Waits until no event and no delivery is pending, but for planned events of the future. */
  async isFinished({ isHurried = false } = {}): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      if (isHurried) await this.hurry();
      const [left] = await this.sql<{ events: number; deliveries: number }>(`
        SELECT (SELECT count(*)::integer FROM events
                 WHERE due_at IS NOT NULL AND NOT (is_planned AND due_at > now())) AS events,
               (SELECT count(*)::integer FROM deliveries WHERE status = 'pending') AS deliveries`);
      if (left?.events === 0 && left.deliveries === 0) return;
      if (performance.now() > deadline)
        throw new Error(`waited in vain for the end of ${JSON.stringify(left)}`);
      await delay(100);
    }
  }

  /**
   * The accepted messages that the database does not know as delivered. Call it while no process sends.
   */
  async unrecorded(receipts: Message[]): Promise<Set<string>> {
    const accepted = new Set(receipts.map((receipt) => keyOf(receipt)));
    const begun = await this.deliveries(`deliveries.status = 'pending' AND attempts > 0`);
    return new Set(begun.map((delivery) => keyOf(delivery)).filter((key) => accepted.has(key)));
  }

  /** The messages about this page. */
  ofPage<One extends Pick<Message, 'subject'>>(receipts: One[]): One[] {
    return receipts.filter(({ subject }) => subject.startsWith(`[${this.name}] `));
  }

  /**
   * Expects that each active address has got each event, and nobody else anything; twice only with the same Message-ID.
   * @returns the messages that were sent more than once
   */
  expectDelivered(receipts: Message[]): Set<string> {
    const ids = new Map<string, string[]>();
    for (const receipt of this.ofPage(receipts)) {
      const key = keyOf(receipt);
      ids.set(key, [...(ids.get(key) ?? []), receipt.message_id]);
    }
    const wanted = [...this.active].flatMap((to) => this.subjects.map((subject) => keyOf({ to, subject })));
    assert.deepEqual(sample(wanted.filter((key) => !ids.has(key))), [], 'lost');
    const expected = new Set(wanted);
    assert.deepEqual(sample([...ids.keys()].filter((key) => !expected.has(key))), [], 'must not get this');
    const several = [...ids].filter(([, all]) => new Set(all).size !== 1).map(([key]) => key);
    assert.deepEqual(sample(several), [], 'the same message with several IDs');
    assert.equal(new Set([...ids.values()].flat()).size, ids.size, 'several messages with the same ID');
    return new Set([...ids].filter(([, all]) => all.length > 1).map(([key]) => key));
  }
}

/** The first ones, for a legible failure. */
function sample(keys: string[]): string[] {
  return keys.slice(0, 10);
}

async function create(service: Service, path: string, json: object): Promise<string> {
  const { status, text, body } = await service.ask<{ data: { id: string } }>(path, { method: 'POST', json });
  assert.equal(status, 201, text);
  return body.data.id;
}
