import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

/** Rows of one statement, as of the service: created, claimed and finished at a time. */
const CREATED = 250;
const CLAIMED = 400;
const FINISHED = 500;
const COLLECT_MS = 10;

const TABLE = 'bench_deliveries';

/** Writes the rows that the service writes for its deliveries, with plain statements, in a copy of the table. */
export class DeliveryRows {
  private readonly pool: Pool;
  private finished: string[] = [];

  constructor(url: string) {
    this.pool = new Pool({ connectionString: url, max: 3 });
  }

  async create(): Promise<void> {
    await this.pool.query(
      `DROP TABLE IF EXISTS ${TABLE}; CREATE TABLE ${TABLE} (LIKE deliveries INCLUDING ALL) WITH (fillfactor = 90)`,
    );
  }

  /** Creates and claims rows, and sends for each. Finishes them while others are sent. */
  async sendAll(count: number, concurrency: number, send: (number: number) => Promise<void>): Promise<void> {
    const event = { id: uuidv7(), organization: randomUUID(), project: randomUUID() };
    let isSending = true;
    const finishing = this.finishAll(() => isSending);
    for (let from = 0; from < count; from += CLAIMED) {
      const ids: string[] = [];
      for (let left = Math.min(CLAIMED, count - from); left > 0; left -= CREATED)
        ids.push(...(await this.insert(event, Math.min(CREATED, left))));
      await this.claim(ids);
      let next = 0;
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let place = next++; place < ids.length; place = next++) {
            await send(from + place);
            this.finished.push(ids[place] ?? '');
          }
        }),
      );
    }
    isSending = false;
    await finishing;
  }

  private async insert(
    event: { id: string; organization: string; project: string },
    count: number,
  ): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await this.pool.query(
      `INSERT INTO ${TABLE} (id, organization_id, project_id, channel, kind, event_id, recipient_id, due_at)
       SELECT id, $2, $3, 'webhook', 'event', $4, gen_random_uuid(), now() FROM unnest($1::uuid[]) AS new (id)`,
      [ids, event.organization, event.project, event.id],
    );
    return ids;
  }

  private async claim(ids: string[]): Promise<void> {
    await this.pool.query(
      `UPDATE ${TABLE}
          SET attempts = attempts + 1, lease = lease + 1, due_at = clock_timestamp() + interval '1 minute'
        WHERE id = ANY($1::uuid[])`,
      [ids],
    );
  }

  private async finishAll(isSending: () => boolean): Promise<void> {
    while (isSending() || this.finished.length > 0) {
      await delay(COLLECT_MS);
      const ids = this.finished.splice(0, FINISHED);
      if (ids.length === 0) continue;
      const attempt = { at: new Date(), duration_ms: 1, status_code: 204, response: '', error: null };
      await this.pool.query(
        `UPDATE ${TABLE}
            SET status = 'delivered', finished_at = clock_timestamp(), attempt_log = attempt_log || jsonb_build_array($2::jsonb)
          WHERE id = ANY($1::uuid[])`,
        [ids, JSON.stringify(attempt)],
      );
    }
  }
}
