import type { Answer, One, Tenant, TestServer } from '../support/server.js';
import {
  DAY_MS,
  dayOf,
  type Days,
  type Incident,
  linesOf,
  type Maintenance,
  maintenanceStatus,
  Model,
  type Reported,
  SECOND_MS,
  secondsIn,
  type StatusNow,
} from './model.js';
import {
  type Affected,
  DAYS_BACK,
  type Forgotten,
  MONITORS,
  type Operation,
  type When,
} from './sequences.js';
import type { ReportQueue } from './report-queue.js';

/** Maximum number of reports per monitor. The contract keeps the times of the last 32. */
const MAX_REPORTS = 32;

/** Maximum time in the future, with a minute to spare. */
const AHEAD_MS = 240_000;

const isoOf = (time: number): string => new Date(time).toISOString();
const midnightOf = (time: number): number => Math.floor(time / DAY_MS) * DAY_MS;

/**
 * A sequence of operations on its own monitors. Sends each operation to the server, applies it to the model, and
 * compares the responses.
 */
export class Sequence {
  readonly model = new Model();
  /** The monitors, including deleted ones. */
  monitors: string[] = [];
  private readonly reported = new Map<string, number>();
  private readonly log: string[] = [];
  private readonly used: number[] = [];
  /** The first midnight. */
  readonly start = midnightOf(Date.now()) - DAYS_BACK * DAY_MS;

  constructor(
    private readonly server: TestServer,
    private readonly tenant: Tenant,
    private readonly queue: ReportQueue,
  ) {}

  /** Runs the operations and compares the resulting monitors. */
  async run(operations: Operation[]): Promise<void> {
    try {
      await this.begin();
      for (const operation of operations) await this.apply(operation);
      await this.compareAll();
    } catch (error) {
      throw new Error(`${String(error)}\n  after\n${this.sent()}`, { cause: error });
    }
  }

  /** Creates the monitors. */
  async begin(): Promise<void> {
    this.monitors = await this.server.monitors(this.tenant, MONITORS);
    const rows = await this.server.sql<{ id: string; created_at: Date }[]>(
      'SELECT id, created_at FROM monitors WHERE id = ANY ($1)',
      [this.monitors],
    );
    for (const { id, created_at } of rows) this.model.addMonitor(id, created_at.getTime());
  }

  /** Compares statuses and all days of all monitors. */
  async compareAll(): Promise<void> {
    for (const id of this.model.monitors.keys()) {
      await this.compareStatus(id);
      await this.compareDays(id);
    }
  }

  /** Returns the requests, with names instead of IDs. */
  private sent(): string {
    const names = new Map(this.monitors.map((id, index) => [id, `monitor ${index + 1}`]));
    for (const [index, id] of [...this.model.incidents.keys()].entries())
      names.set(id, `incident ${index + 1}`);
    let text = this.log.join('\n');
    for (const [id, name] of names) text = text.replaceAll(id, `<${name}>`);
    return text;
  }

  private async ask<B>(
    method: string,
    path: string,
    json: object | undefined,
    expected: number,
  ): Promise<Answer<B>> {
    this.log.push(`${method} ${path}${json ? ` ${JSON.stringify(json)}` : ''}`);
    const answer = await this.server.ask<B>(path, { method, key: this.tenant.key, json });
    if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  private async create(path: string, fields: object): Promise<string> {
    const json = { project_id: this.tenant.project_id, title: 'Title', ...fields };
    return (await this.ask<One<{ id: string }>>('POST', path, json, 201)).body.data.id;
  }

  /** Returns the time for an operation, at most four minutes in the future. */
  private timeOf(when: When): number {
    const now = Date.now();
    const time =
      when.at === 'any'
        ? Math.min(this.start + when.time, now)
        : when.at === 'now'
          ? now + when.offset
          : (this.used[when.which % this.used.length] ?? now) + when.offset;
    const used = Math.min(Math.max(time, this.start), now + AHEAD_MS);
    this.used.push(used);
    return used;
  }

  /** Returns the ID of the monitor unless it is deleted. */
  private idOf(monitor: number): string[] {
    const id = this.monitors[monitor] ?? '';
    return this.model.monitors.has(id) ? [id] : [];
  }

  /** Sends an operation and applies it to the model after the response. */
  async apply(operation: Operation): Promise<void> {
    const { model } = this;
    switch (operation.do) {
      case 'report':
        for (const id of this.idOf(operation.monitor)) await this.report(id, operation);
        return;
      case 'stale':
        for (const id of this.idOf(operation.monitor)) {
          await this.ask('PATCH', `/v1/monitors/${id}`, { stale_after_seconds: operation.seconds }, 200);
          model.setStaleAfter(id, operation.seconds);
        }
        return;
      case 'create':
        for (const id of this.idOf(operation.monitor)) await this.createAt(id, operation.at);
        return;
      case 'delete monitor':
        for (const id of this.idOf(operation.monitor)) {
          await this.ask('DELETE', `/v1/monitors/${id}`, undefined, 204);
          model.deleteMonitor(id);
          await this.ask('GET', `/v1/monitors/${id}/status`, undefined, 404);
          await this.ask('GET', `/v1/monitors/${id}/days`, undefined, 404);
        }
        return;
      case 'open':
        return this.open(operation);
      case 'post':
      case 'move incident':
      case 'move update':
      case 'delete update':
      case 'delete incident': {
        const found = pick(model.incidents, operation.incident);
        if (found) await this.changeIncident(...found, operation);
        return;
      }
      case 'plan': {
        const starts_at = this.timeOf(operation.from);
        const plan = { starts_at, ends_at: starts_at + operation.length };
        const monitor_ids = operation.monitors.flatMap((monitor) => this.idOf(monitor));
        const id = await this.create('/v1/maintenances', { ...windowOf(plan), monitor_ids });
        const open = { closed_as: null, closed_at: null };
        model.maintenances.set(id, { ...plan, ...open, monitor_ids: new Set(monitor_ids) });
        return;
      }
      case 'move window':
      case 'move end':
      case 'change monitors':
      case 'close':
      case 'delete maintenance': {
        const found = pick(model.maintenances, operation.maintenance);
        if (found) await this.changeMaintenance(...found, operation);
        return;
      }
      case 'read': {
        const from = this.start + operation.from * DAY_MS;
        const to = Math.min(from + operation.days * DAY_MS, this.start + (DAYS_BACK + 1) * DAY_MS);
        for (const id of this.idOf(operation.monitor)) {
          await this.compareDays(id, from, to);
          await this.compareStatus(id);
        }
        return;
      }
      case 'read all':
        return this.compareAll();
      case 'forget':
        return this.forget(operation.what);
    }
  }

  /** Changes when a monitor was created, and makes its stored days invalid, because no request can change it. */
  private async createAt(id: string, at: When): Promise<void> {
    const created_at = Math.min(this.timeOf(at), Date.now());
    this.log.push(`created ${id} at ${isoOf(created_at)}`);
    await this.server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, isoOf(created_at)]);
    this.model.setCreatedAt(id, created_at);
    await this.forget('validity');
  }

  private async report(
    id: string,
    { from, every, statuses, reversed }: Extract<Operation, { do: 'report' }>,
  ): Promise<void> {
    const count = this.reported.get(id) ?? 0;
    const first = this.timeOf(from);
    const reports = statuses
      .map((status, index) => ({ status, time: first + index * every }))
      .filter(({ time }) => time <= Date.now() + AHEAD_MS)
      .slice(0, MAX_REPORTS - count);
    if (reversed) reports.reverse();
    if (reports.length === 0) return;
    this.reported.set(id, count + reports.length);
    const sent = reports.map(({ status, time }) => ({ monitor_id: id, status, observed_at: isoOf(time) }));
    this.log.push(`POST /v1/monitor-reports ${JSON.stringify(sent)}`);
    await this.queue.send(sent);
    // The reports of a request apply in the order of their times; of equal times, the last one applies. After
    // stale_after_seconds is lowered, the order determines which gaps are known.
    const last = new Map(reports.map(({ status, time }) => [time, status]));
    for (const [time, status] of [...last].toSorted(([a], [b]) => a - b)) this.model.report(id, status, time);
  }

  /** Returns affected monitors as sent and as the model stores them. */
  private affected(monitors: Affected): { sent: object[]; known: Map<string, Reported> } {
    const named = monitors.flatMap(([monitor, status]) =>
      this.idOf(monitor).map((id): [string, Reported] => [id, status]),
    );
    return { sent: named.map(([monitor_id, status]) => ({ monitor_id, status })), known: new Map(named) };
  }

  private async open({ from, status, monitors }: Extract<Operation, { do: 'open' }>): Promise<void> {
    const started_at = this.timeOf(from);
    const { sent, known } = this.affected(monitors);
    const fields = { body: 'Body', status, started_at: isoOf(started_at), monitors: sent };
    const id = await this.create('/v1/incidents', fields);
    const update = { id: null, posted_at: started_at, status, monitors: known };
    this.model.incidents.set(id, { started_at, updates: [update] });
  }

  private async changeIncident(
    id: string,
    incident: Incident,
    operation: Extract<Operation, { incident: number }>,
  ): Promise<void> {
    const path = `/v1/incidents/${id}`;
    const { updates } = incident;
    if (operation.do === 'post') {
      const posted_at = Math.max(this.timeOf(operation.at), incident.started_at);
      const { status } = operation;
      const monitors = operation.monitors && this.affected(operation.monitors);
      const fields = {
        body: 'Body',
        status,
        posted_at: isoOf(posted_at),
        ...(monitors && { monitors: monitors.sent }),
      };
      const { body } = await this.ask<One<{ id: string }>>('POST', `${path}/updates`, fields, 201);
      updates.push({ id: body.data.id, posted_at, status, monitors: monitors && monitors.known });
    } else if (operation.do === 'move incident') {
      // At most the time of each update except the first one, which takes effect at the start.
      const started_at = Math.min(
        this.timeOf(operation.to),
        ...updates.slice(1).map(({ posted_at }) => posted_at),
      );
      await this.ask('PATCH', path, { started_at: isoOf(started_at) }, 200);
      incident.started_at = started_at;
    } else if (operation.do === 'delete incident') {
      await this.ask('DELETE', path, undefined, 204);
      this.model.incidents.delete(id);
    } else {
      const index = operation.update % updates.length;
      const update = updates[index];
      if (!update || (operation.do === 'delete update' && updates.length === 1)) return;
      update.id ??= await this.firstUpdateOf(id);
      if (operation.do === 'move update') {
        const posted_at = Math.max(this.timeOf(operation.to), incident.started_at);
        await this.ask('PATCH', `${path}/updates/${update.id}`, { posted_at: isoOf(posted_at) }, 200);
        update.posted_at = posted_at;
      } else {
        await this.ask('DELETE', `${path}/updates/${update.id}`, undefined, 204);
        updates.splice(index, 1);
        // The incident then starts at the time of the next update.
        if (index === 0) incident.started_at = updates[0]?.posted_at ?? incident.started_at;
      }
    }
  }

  /** Returns the ID of the update that an incident was created with. */
  private async firstUpdateOf(incident: string): Promise<string> {
    const path = `/v1/incidents/${incident}/updates?limit=100`;
    const { body } = await this.ask<{ data: { id: string }[] }>('GET', path, undefined, 200);
    return body.data.at(-1)?.id ?? '';
  }

  private async changeMaintenance(
    id: string,
    maintenance: Maintenance,
    operation: Extract<Operation, { maintenance: number }>,
  ): Promise<void> {
    const path = `/v1/maintenances/${id}`;
    const patch = (fields: object) => this.ask('PATCH', path, fields, 200);
    if (operation.do === 'move window') {
      const starts_at = this.timeOf(operation.from);
      const window = { starts_at, ends_at: starts_at + operation.length };
      await patch(windowOf(window));
      Object.assign(maintenance, window);
    } else if (operation.do === 'move end') {
      const ends_at = maintenance.starts_at + operation.length;
      await patch({ ends_at: isoOf(ends_at) });
      maintenance.ends_at = ends_at;
    } else if (operation.do === 'change monitors') {
      const monitor_ids = operation.monitors.flatMap((monitor) => this.idOf(monitor));
      await patch({ monitor_ids });
      maintenance.monitor_ids = new Set(monitor_ids);
    } else if (operation.do === 'close') {
      await this.close(id, maintenance, operation.as);
    } else {
      await this.ask('DELETE', path, undefined, 204);
      this.model.maintenances.delete(id);
    }
  }

  /**
   * Completes or cancels a maintenance window, or resets its status to the clock. Only the server knows the
   * millisecond.
   */
  private async close(id: string, maintenance: Maintenance, as: Maintenance['closed_as']): Promise<void> {
    const before = Date.now();
    await this.ask('PATCH', `/v1/maintenances/${id}`, { status: as }, 200);
    if (as === maintenanceStatus(maintenance, before)) return;
    maintenance.closed_as = as;
    if (as === null) maintenance.closed_at = null;
    if (as === null || maintenance.closed_at !== null) return;
    const [row] = await this.server.sql<{ closed_at: Date | null }[]>(
      'SELECT closed_at FROM maintenances WHERE id = $1',
      [id],
    );
    const closed_at = row?.closed_at?.getTime() ?? NaN;
    if (!(closed_at >= before && closed_at <= Date.now())) throw new Error(`closed at ${closed_at}, not now`);
    maintenance.closed_at = closed_at;
  }

  private async forget(what: Forgotten): Promise<void> {
    this.log.push(`forget ${what}`);
    const ids = [this.monitors];
    // Locks the monitors first, like the service. Otherwise, the two could deadlock.
    if (what !== 'validity')
      await this.server.sql(
        `WITH locked AS MATERIALIZED (
           SELECT monitor_id FROM monitor_states WHERE monitor_id = ANY ($1) ORDER BY monitor_id FOR UPDATE
         )
         DELETE FROM monitor_days USING locked WHERE monitor_days.monitor_id = locked.monitor_id`,
        ids,
      );
    if (what !== 'rows')
      await this.server.sql(
        `WITH locked AS MATERIALIZED (
           SELECT monitor_id FROM monitor_states WHERE monitor_id = ANY ($1) ORDER BY monitor_id FOR UPDATE
         )
         UPDATE monitor_states SET closed_before = NULL FROM locked WHERE monitor_states.monitor_id = locked.monitor_id`,
        ids,
      );
  }

  /** Compares the days of `[from, to)`. For today, compares the time until a second of the request. */
  private async compareDays(
    id: string,
    from = this.start - DAY_MS,
    to = this.start + (DAYS_BACK + 1) * DAY_MS,
  ): Promise<void> {
    const path = daysPath(id, from, to);
    const before = Date.now();
    const { body } = await this.ask<One<Days>>('GET', path, undefined, 200);
    const now = from + secondsIn(body.data) * SECOND_MS;
    if (now < Math.min(to, before - SECOND_MS) || now > Math.min(to, Date.now()))
      throw new Error(`GET ${path}: not until now, but until ${isoOf(now)}`);
    expectSame(path, linesOf(body.data).join('\n'), this.model.linesOf(id, from, to, now).join('\n'));
  }

  private async compareStatus(id: string): Promise<void> {
    const before = Date.now();
    const { body } = await this.ask<One<StatusNow>>('GET', statusPath(id), undefined, 200);
    const found = textOf(body.data);
    const expected = [before, Date.now()].map((now) => textOf(this.model.statusNow(id, now)));
    expectSame(statusPath(id), found, expected.find((one) => one === found) ?? expected[0]);
  }
}

/** Returns the path of the days of `[from, to)`. */
export const daysPath = (id: string, from: number, to: number): string =>
  `/v1/monitors/${id}/days?from=${dayOf(from)}&to=${dayOf(to - DAY_MS)}`;

export const statusPath = (id: string): string => `/v1/monitors/${id}/status`;

/** Returns a monitor status, from the model or a response, as a text to compare. */
export function textOf(now: StatusNow): string {
  const { status, reported_status, observed_at } = now;
  const [incidents, maintenances] = [now.incident_ids.toSorted(), now.maintenance_ids.toSorted()];
  return `${status}, reported ${reported_status} at ${observed_at}, [${incidents}], [${maintenances}]`;
}

function expectSame(path: string, found: string, expected: string | undefined): void {
  if (found !== expected) throw new Error(`GET ${path}:\n${found}\n  but expected\n${expected}`);
}

const windowOf = ({ starts_at, ends_at }: Pick<Maintenance, 'starts_at' | 'ends_at'>) => ({
  starts_at: isoOf(starts_at),
  ends_at: isoOf(ends_at),
});

/** Returns an entry of a map for any number. */
function pick<Value>(map: Map<string, Value>, which: number): [string, Value] | undefined {
  return [...map][which % map.size];
}
