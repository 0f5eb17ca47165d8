import { setTimeout as delay } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { type Database, withClient } from './databases.js';
import { DeliveryBench, type DeliverySample } from './delivery-bench.js';
import type { Audience } from './mail-fill.js';
import { BASELINES, baselineEnv, Server, SERVICE, serviceEnv } from './processes.js';

/** A sender that was stopped has no more mail in flight after this time without one. */
const QUIET_MS = 500;

const MAIL_FROM = 'Acme Cloud <status@example.com>';

/** Sends mail to a mail server in a separate process. */
export class MailBench extends DeliveryBench {
  private constructor(
    database: Database,
    sink: Server,
    private readonly smtpUrl: string,
  ) {
    super(database, sink);
  }

  static async start(database: Database): Promise<MailBench> {
    const sink = await Server.start(BASELINES.mailSink, (port) => baselineEnv('', port, ''));
    const { url }: { url: string } = JSON.parse(await (await fetch(sink.url)).text());
    return new MailBench(database, sink, url);
  }

  /** Starts the service. */
  async startService(delivery: 'on' | 'off'): Promise<Server> {
    const server = await Server.start(SERVICE.server, (port) => ({
      ...serviceEnv(this.database.url, port),
      DELIVERY: delivery,
      NOTIFY_DELAY: '0',
      SMTP_URL: this.smtpUrl,
      MAIL_FROM,
    }));
    this.servers.add(server);
    return server;
  }

  async startBaseline(): Promise<Server> {
    const mailEnv = { SMTP_URL: this.smtpUrl, MAIL_FROM };
    const server = await Server.start(BASELINES.mail, (port) => ({
      ...baselineEnv('', port, ''),
      ...mailEnv,
    }));
    this.servers.add(server);
    return server;
  }

  /** Creates an incident without mail. Returns its ID. */
  async createIncident(server: Server, { project_id }: Audience): Promise<string> {
    const created = await this.post(server, '/v1/incidents', {
      project_id,
      title: 'Slow responses from the API',
      notify: false,
    });
    const { data }: { data: { id: string } } = JSON.parse(created);
    return data.id;
  }

  /** Posts an update of an incident, about which there is mail. Returns the time in ms. */
  async postUpdate(server: Server, incident: string): Promise<number> {
    const started = performance.now();
    await this.post(server, `/v1/incidents/${incident}/updates`, {
      notify: true,
      body: `A node of the **database** has failed at ${started}. We are replacing it, and expect to be done within the hour.`,
    });
    return performance.now() - started;
  }

  /** The services send an update to all subscribers. `server` gets the request. */
  async sendUpdate(senders: Server[], audience: Audience): Promise<DeliverySample> {
    const [server] = senders;
    if (!server) throw new Error('there is no sender');
    const incident = await this.createIncident(server, audience);
    return this.sample(senders, audience.subscribers, async () => {
      await this.postUpdate(server, incident);
      await this.receives(audience.subscribers);
      await this.settles();
    });
  }

  /** The baseline sends the message that the service has sent last. */
  async sendBare(baseline: Server, count: number): Promise<DeliverySample> {
    const { message } = await this.received();
    const { subject = '', text: plain = '', html, headers } = await simpleParser(message);
    const [, unsubscribe] =
      /^List-Unsubscribe: <([^>]*)>/im.exec(message.replaceAll(/\r\n[ \t]+/g, '')) ?? [];
    if (!html || !headers.has('precedence') || unsubscribe === undefined)
      throw new Error('the service has sent another message than expected');
    const body = { count, message: { subject, text: plain, html, unsubscribe } };
    return this.sample([baseline], count, () => this.post(baseline, '/', body));
  }

  /** Interrupts sending for a day, until `resume`. */
  async pause(): Promise<void> {
    await this.setDue(`now() + interval '1 day'`);
    for (let before = -1; ; await delay(QUIET_MS)) {
      const { count } = await this.received();
      if (count === before) return;
      before = count;
      await this.setDue(`now() + interval '1 day'`); // what was created in the meantime
    }
  }

  async resume(): Promise<void> {
    await this.setDue('now()');
  }

  private async setDue(time: string): Promise<void> {
    await withClient(this.database.url, async (client) => {
      await client.query(`UPDATE events SET due_at = ${time} WHERE due_at IS NOT NULL`);
      await client.query(`UPDATE deliveries SET due_at = ${time} WHERE status = 'pending'`);
    });
  }
}
