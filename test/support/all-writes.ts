import {
  deliveryTo,
  type Fields,
  make,
  type Operation,
  operationsOf,
  otherOperationsOn,
  REFERENCES,
  type Resource,
  resourceOf,
  RESOURCES,
  type Row,
  type Sample,
  sampleOf,
} from './resources.js';
import type { One, ListPage, Tenant, TestServer } from './server.js';

/** The response to a write. */
export interface Written {
  route: string;
  status: number;
  ms: number;
  text: string;
}

/**
 * Sends all writes of all resources to the same rows of a tenant, with the given concurrency, each route equally
 * often, until the time is over, or each route has had the given number of rounds. Bodies refer to the rows of other resources wherever they can, and every second POST has an
 * `Idempotency-Key`. Deleted rows are replaced.
 */
export async function writeAll(
  server: TestServer,
  tenant: Tenant,
  { ms, rounds = Infinity, atOnce }: { ms: number; rounds?: number; atOnce: number },
): Promise<Written[]> {
  const rows = await SharedRows.make(server, tenant);
  for (const write of rows.writes().filter(({ route }) => route.includes('/imports/')))
    await rows.send(write, false); // starts the threads that read files
  const written: Written[] = [];
  let routes: string[] = [];
  let left = rounds;
  const end = performance.now() + ms;
  const loop = async () => {
    while (performance.now() < end) {
      if (routes.length === 0) {
        if (left === 0) return;
        left -= 1;
        routes = shuffled(rows.writes().map(({ route }) => route));
      }
      const route = routes.pop();
      const write = rows.writes().find((one) => one.route === route);
      if (write) written.push(await rows.send(write, written.length % 2 === 0));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return written;
}

/** The rows that the writes share. */
class SharedRows {
  private readonly samples = new Map<string, Sample>();
  private deleted_page_id = '';
  private update_id = '';
  private maintenance_update_id = 'none';
  private delivery_id = '';
  private access_link_id = '';
  private count = 0;

  private constructor(
    private readonly server: TestServer,
    private readonly tenant: Tenant,
  ) {}

  static async make(server: TestServer, tenant: Tenant): Promise<SharedRows> {
    const rows = new SharedRows(server, tenant);
    for (const resource of RESOURCES) {
      const sample = await sampleOf(server, tenant, resource);
      rows.samples.set(
        resource.table,
        resource.table === 'projects' ? { ...sample, id: tenant.project_id } : sample,
      );
    }
    for (const { table } of RESOURCES) if (table !== 'projects') await rows.replace(resourceOf(table));
    rows.delivery_id = await deliveryTo(server, tenant, rows.sampleOf('webhook_endpoints').id);
    return rows;
  }

  /** Every write operation, on the current rows. */
  writes(): Operation[] {
    const { update_id, deleted_page_id, maintenance_update_id } = this;
    const others = otherOperationsOn({
      project_id: this.tenant.project_id,
      monitor_id: this.sampleOf('monitors').id,
      page_id: this.sampleOf('status_pages').id,
      incident_id: this.sampleOf('incidents').id,
      update_id,
      maintenance_id: this.sampleOf('maintenances').id,
      maintenance_update_id,
      deleted_page_id,
      webhook_endpoint_id: this.sampleOf('webhook_endpoints').id,
      check_id: this.sampleOf('checks').id,
      draft_id: this.sampleOf('incident_drafts').id,
      delivery_id: this.delivery_id,
      access_link_id: this.access_link_id,
    });
    const own = RESOURCES.flatMap((resource) => operationsOf(resource, this.changed(resource)));
    return [...own, ...others].filter(({ route }) => !route.startsWith('GET'));
  }

  async send({ route, path, ask }: Operation, isIdempotent: boolean): Promise<Written> {
    const headers = {
      ...ask.headers,
      ...(ask.method === 'POST' && isIdempotent && { 'Idempotency-Key': `write-${this.count++}` }),
    };
    const started = performance.now();
    const answer = await this.server.ask<One<Row>>(path, {
      ...ask,
      headers,
      key: this.tenant.key,
      undocumented: true,
    });
    const ms = performance.now() - started;
    if (answer.status < 300) await this.follow(route, path, answer.body.data);
    return { route, status: answer.status, ms, text: answer.text };
  }

  /** Replaces a row that a write has deleted, and records rows that other writes need. */
  private async follow(route: string, path: string, data: Row | undefined): Promise<void> {
    const resource = RESOURCES.find((one) => route.endsWith(` ${one.path}/:id`));
    if (route.startsWith('DELETE') && resource) {
      if (resource.table === 'status_pages') this.deleted_page_id = path.slice(-36);
      await this.replace(resource);
    }
    if (route.endsWith('/rotate') && data) this.sampleOf('api_keys').id = data.id;
    if (route === 'POST /v1/status-pages/:id/access/links' && data) this.access_link_id = data.id;
    // A project can have 100.
    if (route === 'POST /v1/webhook-endpoints' && data) {
      const { key } = this.tenant;
      await this.server.ask(`${route.slice(5)}/${data.id}`, { method: 'DELETE', key, undocumented: true });
    }
    if (route === 'POST /v1/incidents/:id/updates' && data) this.update_id = data.id;
    if (route === 'POST /v1/maintenances/:id/updates' && data) this.maintenance_update_id = data.id;
  }

  private async replace(resource: Resource): Promise<void> {
    const { create } = this.changed(resource);
    // A row that it refers to can be deleted in the meantime.
    const row = await make(this.server, this.tenant, resource, create).catch(() =>
      make(this.server, this.tenant, resource),
    );
    this.sampleOf(resource.table).id = row.id;
    if (resource.table !== 'incidents') return;
    const path = `/v1/incidents/${row.id}/updates`;
    const { body } = await this.server.ask<ListPage<Row>>(path, { key: this.tenant.key, undocumented: true });
    this.update_id = body.data?.[0]?.id ?? this.update_id;
  }

  /** A sample whose bodies refer to the rows of other resources, with new texts. */
  private changed(resource: Resource): Sample {
    const sample = this.sampleOf(resource.table);
    const named = Object.assign({}, ...this.namedBy(resource.table));
    const patches = Object.entries(sample.patches).map(([suffix, fields]) => {
      const own = Object.keys(named).filter((field) => field in fields);
      return [
        suffix,
        this.varied({ ...fields, ...Object.fromEntries(own.map((field) => [field, named[field]])) }),
      ];
    });
    return {
      ...sample,
      create: this.varied({ ...sample.create, ...named }),
      patches: Object.fromEntries(patches),
    };
  }

  private namedBy(table: string): Fields[] {
    return REFERENCES.filter(({ column, of }) => (of ?? column.split('.')[0]) === table).map(
      ({ to, fields }) => fields(this.sampleOf(to).id),
    );
  }

  private varied(fields: Fields): Fields {
    const next = this.count++;
    const varied = {
      name: `Name ${next}`,
      title: `Title ${next}`,
      slug: `slug-${next}`,
      custom_domain: `${next}.localhost`,
    };
    return Object.fromEntries(Object.entries({ ...fields, ...varied }).filter(([name]) => name in fields));
  }

  private sampleOf(table: string): Sample {
    const sample = this.samples.get(table);
    if (!sample) throw new Error(`no sample of ${table}`);
    return sample;
  }
}

function shuffled<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

/** The responses of one route. */
export interface RouteAnswers {
  route: string;
  count: number;
  /** In milliseconds. */
  median: number;
  max: number;
}

/** The responses by their routes. */
export function byRoute(written: Written[]): RouteAnswers[] {
  return [...new Set(written.map(({ route }) => route))].map((route) => {
    const times = written
      .flatMap((one) => (one.route === route ? [one.ms] : []))
      .toSorted((one, other) => one - other);
    return {
      route,
      count: times.length,
      median: times[times.length >> 1] ?? 0,
      max: times.at(-1) ?? 0,
    };
  });
}

/**
 * The routes with a response that took more than five times the route's median under the same load, and more than
 * `floor` ms. The cause is then a wait for a lock, not for a busy processor. Imports are excluded, because they also
 * wait for the startup of a thread: up to 6 s on two busy cores.
 */
export function slowIn(written: Written[], floor: number): RouteAnswers[] {
  return byRoute(written).filter(
    ({ route, median, max }) => !route.includes('/imports/') && max > Math.max(floor, 5 * median),
  );
}
