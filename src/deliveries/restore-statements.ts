import type { QueryRunner } from 'typeorm';

/** Numbers of what a restore has ended and held. */
export interface HeldDeliveries {
  /** Deliveries, forms of visitors, and events whose deliveries had not been created. */
  ended: number;
  /** Planned events of maintenance windows. */
  held: number;
}

/** Forms of visitors, which cause mail. */
const FORMS = ['subscription_requests', 'access_email_requests'];

/**
 * Makes a restored database send nothing: ends what was pending in the backup, and holds what was planned until
 * {@link releaseDeliveries}. Works with the schema of each version that has deliveries.
 */
export async function holdDeliveries(runner: QueryRunner): Promise<HeldDeliveries> {
  const count = async (statement: string): Promise<number> => {
    const [row]: { count: number }[] = await runner.query(
      `WITH changed AS (${statement} RETURNING 1) SELECT count(*)::integer AS count FROM changed`,
    );
    return row?.count ?? 0;
  };
  const found: { name: string }[] = await runner.query(
    `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL`,
    [['events', 'deliveries', ...FORMS]],
  );
  const exists = new Set(found.map(({ name }) => name));
  let ended = 0;
  for (const form of FORMS) if (exists.has(form)) ended += await count(`DELETE FROM ${form}`);
  if (exists.has('deliveries'))
    ended += await count(
      `UPDATE deliveries SET status = 'cancelled', finished_at = now(), error = 'ended by a restore' WHERE status = 'pending'`,
    );
  if (!exists.has('events')) return { ended, held: 0 };
  const held = await count(
    `UPDATE events SET due_at = 'infinity' WHERE due_at IS NOT NULL AND created_at > now()`,
  );
  ended += await count(`UPDATE events SET due_at = NULL WHERE due_at IS NOT NULL AND due_at <> 'infinity'`);
  return { ended, held };
}

/** Makes the held events due again at their times. Events of more than a day ago are dropped. Returns their number. */
export async function releaseDeliveries(runner: Pick<QueryRunner, 'query'>): Promise<number> {
  const rows: object[] = await runner.query(
    `WITH released AS (UPDATE events SET due_at = created_at WHERE due_at = 'infinity' RETURNING 1) SELECT FROM released`,
  );
  return rows.length;
}
