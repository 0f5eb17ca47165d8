import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import type { Resolution } from './response-time.entity.js';

/** The response times of one request, in three lists of equal length. */
export interface Samples {
  monitor_ids: string[];
  /** Hours since 1970-01-01T00:00:00Z. */
  hours: number[];
  bins: number[];
}

/** A histogram of one period. */
export interface Histogram {
  started_at: Date;
  counts: number[];
}

/** A histogram of one monitor, to be added to the stored one. */
export interface AddedHistogram extends Histogram {
  monitor_id: string;
  resolution: Resolution;
}

/** Before the IDs of all organizations. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Reads and writes the tables `response_samples` and `response_times`. */
@Injectable()
export class ResponseTimesRepository {
  constructor(private readonly runner: StatementRunner) {}

  async insert(organization_id: string, samples: Samples, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO response_samples (organization_id, id, created_at, monitor_ids, hours, bins)
       VALUES ($1, $2, statement_timestamp(), $3, $4, $5)`,
      [
        organization_id,
        uuidv7(),
        arrayOf(samples.monitor_ids),
        arrayOf(samples.hours),
        arrayOf(samples.bins),
      ],
      manager,
    );
  }

  /**
   * Returns the organization after `last` that has samples older than five minutes, or the first such one. So organizations take
   * turns.
   */
  async findDue(last: string = FIRST_ID): Promise<string | undefined> {
    const [row] = await this.runner.query<{ organization_id: string }>(
      `SELECT organization_id
         FROM response_samples
        WHERE created_at <= statement_timestamp() - interval '5 minutes'
        ORDER BY organization_id <= $1, organization_id
        LIMIT 1`,
      [last],
    );
    return row?.organization_id;
  }

  /**
   * Deletes the samples of the oldest requests of an organization, and returns them: at most 2,000 requests, and further ones only
   * until they have `limit` samples. Skips those of another process.
   */
  async take(organization_id: string, limit: number, manager: EntityManager): Promise<Samples[]> {
    return this.runner.query<Samples>(
      `DELETE FROM response_samples
        WHERE organization_id = $1
          AND id IN (
                SELECT id
                  FROM (
                         SELECT id, sum(cardinality(bins)) OVER (ORDER BY id) - cardinality(bins) AS before
                           FROM (
                                  SELECT id, bins
                                    FROM response_samples
                                   WHERE organization_id = $1
                                   ORDER BY id
                                   LIMIT 2000
                                     FOR UPDATE SKIP LOCKED
                                ) AS oldest
                       ) AS request
                 WHERE before < $2
              )
       RETURNING monitor_ids, hours, bins`,
      [organization_id, limit],
      manager,
    );
  }

  /** Adds histograms to the stored ones. Omits monitors that have been deleted. */
  async add(organization_id: string, histograms: AddedHistogram[], manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO response_times AS stored (organization_id, monitor_id, resolution, started_at, counts)
       SELECT $1, added.monitor_id, added.resolution, added.started_at, added.counts
         FROM json_to_recordset($2) AS added (monitor_id uuid, resolution text, started_at timestamptz, counts integer[])
         JOIN monitors ON monitors.organization_id = $1 AND monitors.id = added.monitor_id
        ORDER BY added.monitor_id, added.resolution, added.started_at
           ON CONFLICT (organization_id, monitor_id, resolution, started_at) DO UPDATE
          SET counts = ARRAY(
                SELECT coalesce(old, 0) + coalesce(new, 0)
                  FROM unnest(stored.counts, excluded.counts) WITH ORDINALITY AS bin (old, new, place)
                 ORDER BY place
              )`,
      [organization_id, JSON.stringify(histograms)],
      manager,
    );
  }

  /** Returns the histograms of a monitor that start in a time range, oldest first. */
  async find(
    organization_id: string,
    monitor_id: string,
    resolution: Resolution,
    { from, to }: { from: Date; to: Date },
    manager?: EntityManager,
  ): Promise<Histogram[]> {
    return this.runner.read<Histogram>(
      `SELECT started_at, counts
         FROM response_times
        WHERE organization_id = $1 AND monitor_id = $2 AND resolution = $3 AND started_at >= $4 AND started_at < $5
        ORDER BY started_at`,
      [organization_id, monitor_id, resolution, from, to],
      manager,
    );
  }

  /** Deletes old histograms of all organizations, at most `limit`. Returns their number. */
  async deleteOld(resolution: Resolution, days: number, limit: number): Promise<number> {
    const deleted = await this.runner.query(
      `DELETE FROM response_times
        WHERE (organization_id, monitor_id, resolution, started_at) IN (
                SELECT organization_id, monitor_id, resolution, started_at
                  FROM response_times
                 WHERE resolution = $1 AND started_at < statement_timestamp() - make_interval(days => $2)
                 LIMIT $3
                   FOR UPDATE SKIP LOCKED
              )
       RETURNING 1`,
      [resolution, days, limit],
    );
    return deleted.length;
  }
}

/** Returns the text of an array of UUIDs or numbers. `pg` would escape each element, which takes half as long as the statement. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}
