import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { EVENT_TYPES } from '../events/event-types.js';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { Range, Rows } from '../platform/database/keyset.js';
import { toIsoText } from '../platform/database/output-fields.js';
import type { OutputRow, RawJson } from '../platform/database/raw-json.js';
import { toRawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { ownRowParameters, projectCondition } from '../platform/database/own-rows.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { LEASE_MS } from './delivery-queue.js';
import { type Attempt, Delivery, type DeliveryStatus } from './delivery.entity.js';

/** A webhook endpoint, as far as its deliveries depend on it. */
export interface EndpointRef extends Pick<ProjectRef, 'organization_id'> {
  id: string;
}

/** A delivery to a webhook endpoint, as the API returns it. */
export interface EndpointDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
  attempts: Attempt[];
}

// A literal instead of a parameter, so that the partial index can be used.
const OF_ENDPOINT = `organization_id = $1 AND recipient_id = $2 AND channel = 'webhook'`;
const OWN = `organization_id = $1 AND ${projectCondition('project_id', '$2')} AND id = $3 AND channel = 'webhook'`;

/** SQL: a delivery that is due now for the first time. The new lease invalidates the result of an earlier attempt. */
const AGAIN = `status = 'pending', attempts = 0, lease = lease + 1, due_at = clock_timestamp(), finished_at = NULL, error = NULL`;

/** SQL: no process has the lease of the delivery. A lease that begins now would end at this time. */
const HAS_NO_LEASE = `(status <> 'pending' OR due_at > clock_timestamp() + interval '${LEASE_MS} milliseconds')`;

/** Reads deliveries to webhook endpoints for operators, and sends them again. */
@Injectable()
export class EndpointDeliveriesRepository {
  private readonly table: ResourceTable<Delivery, EndpointDelivery>;

  constructor(
    @InjectRepository(Delivery) repository: Repository<Delivery>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable<Delivery, EndpointDelivery>(repository, runner, [
      'id',
      { as: 'endpoint_id', sql: 'recipient_id' },
      'event_id',
      {
        as: 'event_type',
        sql: `(SELECT type FROM events AS event
                WHERE event.organization_id = deliveries.organization_id AND event.id = deliveries.event_id)`,
      },
      'status',
      { as: 'attempt_count', sql: 'attempts' },
      { as: 'next_attempt_at', sql: `CASE WHEN status = 'pending' THEN ${toIsoText('due_at')} END` },
      'created_at',
      'finished_at',
      { as: 'attempts', sql: 'attempt_log' },
    ]);
  }

  /** Returns the deliveries to an endpoint, newest first. Uses `deliveries_endpoint_idx`. */
  async findNewest(
    { organization_id, id }: EndpointRef,
    status: DeliveryStatus | undefined,
    range: Range,
  ): Promise<Rows<EndpointDelivery>> {
    const values: unknown[] = [organization_id, id];
    const where = status === undefined ? OF_ENDPOINT : `${OF_ENDPOINT} AND status = $${values.push(status)}`;
    return this.table.list(where, values, range);
  }

  /** Returns a delivery to a webhook endpoint. */
  async findOne(access: ActorAccess, id: string): Promise<RawJson<EndpointDelivery> | undefined> {
    return this.table.find(OWN, ownRowParameters(access, id));
  }

  /** Returns the endpoint of a delivery. */
  async findEndpoint(access: ActorAccess, id: string): Promise<string | undefined> {
    const [delivery] = await this.runner.read<{ recipient_id: string }>(
      `SELECT recipient_id FROM deliveries WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return delivery?.recipient_id;
  }

  /** Makes a delivery due now. Returns undefined if it does not exist, or may be in flight. */
  async retry(
    access: ActorAccess,
    id: string,
    manager: EntityManager,
  ): Promise<RawJson<EndpointDelivery> | undefined> {
    const values = ownRowParameters(access, id);
    const rows = await this.runner.queryLocked<OutputRow>(
      { text: `SELECT FROM deliveries WHERE ${OWN} FOR NO KEY UPDATE`, values },
      {
        text: `UPDATE deliveries SET ${AGAIN} WHERE ${OWN} AND ${HAS_NO_LEASE} RETURNING ${this.table.outputRow()}`,
        values,
      },
      manager,
    );
    return toRawJson(rows);
  }

  /** Makes the existing deliveries of events to an endpoint due now, but for those in flight. */
  async sendAgain(
    { organization_id, id }: EndpointRef,
    eventIds: string[],
    manager: EntityManager,
  ): Promise<void> {
    const values = [organization_id, id, eventIds];
    const where = `${OF_ENDPOINT} AND event_id = ANY($3::uuid[])`;
    await this.runner.queryLocked(
      { text: `SELECT FROM deliveries WHERE ${where} ORDER BY id FOR NO KEY UPDATE`, values },
      { text: `UPDATE deliveries SET ${AGAIN} WHERE ${where} AND ${HAS_NO_LEASE}`, values },
      manager,
    );
  }

  /** Inserts a successful delivery of the latest event of a project, for the demo. */
  async insertDelivered(
    { organization_id, project_id, endpoint_id }: ProjectRef & { endpoint_id: string },
    id: string,
    attempt: Attempt,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, attempts, due_at,
                               finished_at, attempt_log)
       SELECT $1, organization_id, project_id, 'webhook', id, $4, 'delivered', 1, $5, $5, $6
         FROM events
        WHERE organization_id = $2 AND project_id = $3 AND created_at <= $5 AND type = ANY($7::text[])
        ORDER BY created_at DESC, id DESC
        LIMIT 1`,
      [id, organization_id, project_id, endpoint_id, attempt.at, JSON.stringify([attempt]), EVENT_TYPES],
      manager,
    );
  }
}
