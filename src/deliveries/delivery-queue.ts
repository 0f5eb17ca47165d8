import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { queueOfProjects } from '../projects/queue-statements.js';
import type { ClaimedDelivery } from './channel.js';

/** Time for which a process may send the deliveries that it has claimed. Longer than an attempt. */
export const LEASE_MS = 60_000;

/** The first delivery of each project with pending deliveries of the channel $1. */
const QUEUE = queueOfProjects('deliveries', `channel = $1 AND status = 'pending'`);

/** Locks about $2 deliveries of the channel $1, none of the organizations $3. */
const CLAIMABLE = `
  WITH ${QUEUE}, turn AS (
    SELECT organization_id, project_id,
           row_number() OVER (PARTITION BY organization_id ORDER BY random()) AS place,
           count(*) OVER (PARTITION BY organization_id) AS projects
      FROM queue
     WHERE due_at <= statement_timestamp() AND organization_id <> ALL($3::uuid[])
  ), share AS (
    SELECT ceil($2::double precision / greatest(count(*) FILTER (WHERE place = 1), 1))::integer AS size FROM turn
  ), chosen AS MATERIALIZED (
    SELECT organization_id, project_id, ceil(size::double precision / least(projects, size)) AS size
      FROM turn, share
     WHERE place <= size
     ORDER BY place, random()
  )
  SELECT claimed.id
    FROM chosen
   CROSS JOIN LATERAL (
           SELECT id
             FROM deliveries
            WHERE channel = $1 AND deliveries.organization_id = chosen.organization_id
              AND deliveries.project_id = chosen.project_id
              AND status = 'pending' AND due_at <= statement_timestamp()
            ORDER BY due_at, id
            LIMIT chosen.size
              FOR UPDATE SKIP LOCKED
         ) AS claimed
   LIMIT $2`;

/**
 * The pending deliveries of all organizations (`deliveries_queue_idx`). Each project has a queue of its own on each channel, in the
 * order of `due_at`.
 */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
  ) {}

  /** Returns the channels with at least `max` deliveries of a project that no process has begun. Uses `deliveries_waiting_idx`. */
  async fullChannels(
    { organization_id, project_id }: ProjectRef,
    channels: string[],
    max: number,
    manager: EntityManager,
  ): Promise<string[]> {
    const rows = await this.runner.query<{ channel: string }>(
      `SELECT channel
         FROM unnest($3::text[]) AS one (channel)
        WHERE (SELECT count(*)
                 FROM (SELECT FROM deliveries
                        WHERE organization_id = $1 AND project_id = $2 AND deliveries.channel = one.channel
                          AND status = 'pending' AND attempts = 0
                        LIMIT $4) AS waiting) >= $4`,
      [organization_id, project_id, channels, max],
      manager,
    );
    return rows.map(({ channel }) => channel);
  }

  /**
   * Claims deliveries of a channel that are due, for {@link LEASE_MS}. Organizations get equal shares, then their projects; those
   * with more deliveries are chosen at random. Skips deliveries that another process is claiming. Uses `deliveries_queue_idx`.
   * @param heldUp organizations whose deliveries are left, because this process could not begin them soon
   */
  async claim(channel: string, limit: number, heldUp: string[] = []): Promise<ClaimedDelivery[]> {
    return this.dataSource.transaction(async (manager) => {
      const due = await this.runner.query<{ id: string }>(CLAIMABLE, [channel, limit, heldUp], manager);
      if (due.length === 0) return [];
      const ids = due.map(({ id }) => id);
      const claimed = await this.runner.query<ClaimedDelivery>(
        `UPDATE deliveries
            SET attempts = attempts + 1, lease = lease + 1,
                due_at = clock_timestamp() + $2 * interval '1 millisecond'
          WHERE id = ANY($1::uuid[])
         RETURNING id, organization_id, project_id, kind, event_id, recipient_id, attempts, lease`,
        [ids, LEASE_MS],
        manager,
      );
      const byId = new Map(claimed.map((delivery) => [delivery.id, delivery]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    });
  }

  /** Returns for how many seconds the oldest due delivery of a channel has been due, or 0. */
  async secondsDue(channel: string): Promise<number> {
    const [row] = await this.runner.read<{ seconds: number | null }>(
      `WITH ${QUEUE}
       SELECT greatest(0, extract(epoch FROM statement_timestamp() - min(due_at)))::double precision AS seconds FROM queue`,
      [channel],
    );
    return row?.seconds ?? 0;
  }
}
