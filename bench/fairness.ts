import { createKey, type Database, withClient } from './databases.js';
import { FairnessSinks } from './fairness-sinks.js';
import { type Audience, fillAudience } from './mail-fill.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';

/** The size of a run. */
interface Plan {
  /** Times of each load. */
  rounds: number;
  /** Events of the victim after each load. */
  samples: number;
  /** Status changes of monitors, in requests of 900. */
  reports: number;
  /** Incidents at the same time, and subscribers of each. */
  incidents: number;
  subscribers: number;
  /** Pages with 1,000 monitors. */
  pages: number;
  /** Subscribers of whom ten get an event. */
  uninterested: number;
  endpoints: number;
}

const FULL: Plan = {
  rounds: 5,
  samples: 4,
  reports: 12,
  incidents: 30,
  subscribers: 120_000,
  pages: 3_004,
  uninterested: 1_770_000,
  endpoints: 100,
};
const QUICK: Plan = {
  rounds: 1,
  samples: 1,
  reports: 2,
  incidents: 3,
  subscribers: 500,
  pages: 10,
  uninterested: 1_000,
  endpoints: 10,
};

const VICTIM_MAILS = 4;
const MONITORS = 1_000;

/** Work of an organization. `prepare` creates its rows, and returns what causes the work. */
interface Load {
  what: string;
  prepare: () => Promise<() => Promise<unknown>>;
}

/** Measures how long messages of one organization take while another has much work. Returns the results as Markdown. */
export async function measureFairness(database: Database, isQuick: boolean): Promise<string> {
  print('fairness …');
  const sinks = await FairnessSinks.start();
  const server = await Server.start(SERVICE.server, (port) => ({
    ...serviceEnv(database.url, port),
    DELIVERY: 'on',
    NOTIFY_DELAY: '0',
    SHUTDOWN_TIMEOUT: '1', // does not wait for the endpoints that hang
    SMTP_URL: sinks.smtpUrl,
    MAIL_FROM: 'Acme Cloud <status@example.com>',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }));
  try {
    const fairness = new Fairness(database, server, sinks, isQuick ? QUICK : FULL);
    const rows = await fairness.measure();
    for (const row of rows) print(row);
    return [
      '| work of another organization | webhook, slowest of all | four mails, slowest of all | target |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  } finally {
    await server.stop();
    sinks.stop();
  }
}

class Fairness {
  constructor(
    private readonly database: Database,
    private readonly server: Server,
    private readonly sinks: FairnessSinks,
    private readonly plan: Plan,
  ) {}

  async measure(): Promise<string[]> {
    const { rounds, samples } = this.plan;
    const victim = await this.createVictim();
    await victim(); // the warm-up
    const alone = await this.slowest(rounds * samples, victim);
    const rows = [`| none | ${seconds(alone.webhook)} | ${seconds(alone.mail)} | |`];
    for (const { what, prepare } of this.loads()) {
      print(what);
      const work = await prepare();
      const found = { webhook: 0, mail: 0 };
      for (let round = 0; round < rounds; round++) {
        await work();
        const { webhook, mail } = await this.slowest(samples, victim);
        found.webhook = Math.max(found.webhook, webhook);
        found.mail = Math.max(found.mail, mail);
        await this.discard();
      }
      rows.push(`| ${what} | ${seconds(found.webhook)} | ${seconds(found.mail)} | at most 2 s more |`);
    }
    return rows;
  }

  private loads(): Load[] {
    const { plan } = this;
    return [
      {
        what: `${shown(plan.reports * 900)} changes of status, with one endpoint`,
        prepare: async () => {
          const { project_id, monitor_ids } = await this.project(900);
          await this.post('/v1/webhook-endpoints', { project_id, url: `${this.sinks.url}/other` });
          let isDown = false;
          return async () => {
            for (let number = 0; number < plan.reports; number++) {
              isDown = !isDown;
              const status = isDown ? 'major_outage' : 'operational';
              const reports = monitor_ids.map((monitor_id) => ({ monitor_id, status }));
              await this.post('/v1/monitor-reports', { project_id, reports });
            }
          };
        },
      },
      {
        what: `${plan.incidents} incidents of a page with ${shown(plan.subscribers)} subscribers`,
        prepare: async () => {
          const { project_id } = await this.audience(plan.subscribers);
          return () => Promise.all(Array.from({ length: plan.incidents }, () => this.incident(project_id)));
        },
      },
      {
        what: `an incident of 100 monitors on ${shown(plan.pages)} pages with ${shown(MONITORS)} monitors each`,
        prepare: async () => {
          const { project_id, monitor_ids } = await this.project(MONITORS);
          await this.addPages(project_id);
          const monitors = monitor_ids
            .slice(0, 100)
            .map((monitor_id) => ({ monitor_id, status: 'major_outage' }));
          return () => this.incident(project_id, monitors);
        },
      },
      {
        what: `an incident for 10 of ${shown(plan.uninterested)} subscribers`,
        prepare: async () => {
          const { project_id } = await this.audience(plan.uninterested);
          const wanted = await this.divide(project_id);
          return () => this.incident(project_id, [{ monitor_id: wanted, status: 'major_outage' }]);
        },
      },
      {
        what: `${plan.endpoints} endpoints that hang`,
        prepare: async () => {
          const { project_id } = await this.project(1);
          for (let number = 0; number < plan.endpoints; number++)
            await this.post('/v1/webhook-endpoints', { project_id, url: `${this.sinks.url}/hang/${number}` });
          return () => Promise.all(Array.from({ length: 20 }, () => this.incident(project_id)));
        },
      },
    ];
  }

  /** Creates another organization with an endpoint and four subscribers. Returns what sends it messages, and their times. */
  private async createVictim(): Promise<() => Promise<{ webhook: number; mail: number }>> {
    const { url } = this.database;
    const organization_id = await withClient(url, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'Victim') RETURNING id`,
      );
      return rows[0]?.id ?? '';
    });
    const key = await createKey(url, organization_id);
    const { project_id } = await withClient(url, async (client) => {
      const audience = await fillAudience(client, organization_id, VICTIM_MAILS);
      await client.query(`UPDATE subscribers SET email = 'victim-' || email WHERE organization_id = $1`, [
        organization_id,
      ]);
      return audience;
    });
    await this.post('/v1/webhook-endpoints', { project_id, url: `${this.sinks.url}/victim` }, key);
    return () => this.sinks.times(VICTIM_MAILS, () => this.incident(project_id, [], key));
  }

  private async slowest(
    count: number,
    victim: () => Promise<{ webhook: number; mail: number }>,
  ): Promise<{ webhook: number; mail: number }> {
    const slowest = { webhook: 0, mail: 0 };
    for (let number = 0; number < count; number++) {
      const { webhook, mail } = await victim();
      slowest.webhook = Math.max(slowest.webhook, webhook);
      slowest.mail = Math.max(slowest.mail, mail);
    }
    return slowest;
  }

  private async incident(
    project_id: string,
    monitors: object[] = [],
    key = this.database.key,
  ): Promise<void> {
    await this.post('/v1/incidents', { project_id, title: 'Slow responses', notify: true, monitors }, key);
  }

  /** Creates a project with monitors. */
  private async project(count: number): Promise<{ project_id: string; monitor_ids: string[] }> {
    const created: { data: { id: string } } = JSON.parse(await this.post('/v1/projects', { name: 'Busy' }));
    const project_id = created.data.id;
    const monitor_ids = await withClient(this.database.url, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO monitors (id, organization_id, project_id, name)
         SELECT gen_random_uuid(), $1, $2, 'Monitor ' || n FROM generate_series(1, $3::integer) AS n RETURNING id`,
        [this.database.organization_id, project_id, count],
      );
      return rows.map(({ id }) => id);
    });
    return { project_id, monitor_ids };
  }

  private audience(subscribers: number): Promise<Audience> {
    return withClient(this.database.url, (client) =>
      fillAudience(client, this.database.organization_id, subscribers),
    );
  }

  /** Inserts pages that show all monitors of a project. */
  private async addPages(project_id: string): Promise<void> {
    await withClient(this.database.url, (client) =>
      client.query(
        `INSERT INTO status_pages (id, organization_id, project_id, name, slug, sections)
         SELECT gen_random_uuid(), $1, $2, 'Page ' || n, 'fair-' || $2 || '-' || n, sections
           FROM generate_series(1, $3::integer) AS n,
                (SELECT jsonb_build_array(jsonb_build_object('id', 'core', 'title', 'Core', 'monitor_ids', jsonb_agg(id))) AS sections
                   FROM monitors WHERE project_id = $2::uuid) AS shown`,
        [this.database.organization_id, project_id, this.plan.pages],
      ),
    );
  }

  /** Lets ten subscribers choose one monitor, and the others another one. Returns the one of the ten. */
  private async divide(project_id: string): Promise<string> {
    return withClient(this.database.url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM monitors WHERE project_id = $1', [
        project_id,
      ]);
      const [wanted, other] = rows.map(({ id }) => id);
      await client.query(
        `UPDATE subscribers SET monitor_ids = ARRAY[CASE WHEN email LIKE 'person-%7777@%' THEN $2 ELSE $3 END::uuid]
          WHERE project_id = $1`,
        [project_id, wanted, other],
      );
      await client.query('VACUUM ANALYZE subscribers');
      return wanted ?? '';
    });
  }

  /** Ends what has not been sent. */
  private async discard(): Promise<void> {
    await withClient(this.database.url, async (client) => {
      await client.query('UPDATE events SET due_at = NULL WHERE due_at IS NOT NULL');
      await client.query(`DELETE FROM deliveries WHERE status = 'pending'`);
    });
  }

  private async post(path: string, body: object, key = this.database.key): Promise<string> {
    const response = await fetch(this.server.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return text;
  }
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;
const shown = (count: number) => count.toLocaleString('en');
