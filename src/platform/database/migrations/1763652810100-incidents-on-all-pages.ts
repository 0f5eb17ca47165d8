import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Number of incidents that one statement reads. */
const BATCH_SIZE = 5_000;

/**
 * Finds the incidents that affect no monitor, which all status pages of their project show unless they reference status pages.
 * If an incident has an impact, its monitors may have been deleted. It then remains hidden, as before.
 */
export class IncidentsOnAllPages1763652810100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows: { id: string }[] = await queryRunner.query(
        `SELECT id FROM incidents WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}`,
        [last],
      );
      const ids = rows.map(({ id }) => id);
      const next = ids.at(-1);
      if (next === undefined) break;
      await this.change(queryRunner, ids);
      last = next;
    }
  }

  private async change(queryRunner: QueryRunner, ids: string[]): Promise<void> {
    await queryRunner.startTransaction();
    // In the order of all other transactions, so that they do not deadlock.
    const rows: { id: string }[] = await queryRunner.query(
      `SELECT id
         FROM incidents AS incident
        WHERE id = ANY($1::uuid[]) AND affects_monitors AND impact = 'none' AND set_impact IS NULL
          AND NOT EXISTS (
                SELECT FROM incident_updates AS one
                 WHERE one.organization_id = incident.organization_id AND one.incident_id = incident.id
                   AND monitors <> '[]'
              )
        ORDER BY id
          FOR NO KEY UPDATE`,
      [ids],
    );
    await queryRunner.query(`UPDATE incidents SET affects_monitors = false WHERE id = ANY($1::uuid[])`, [
      rows.map(({ id }) => id),
    ]);
    await queryRunner.commitTransaction();
  }

  async down(): Promise<void> {
    // The column's migration drops the values.
  }
}
