import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Number of states that a transaction locks, for milliseconds. */
const BATCH = 1_000;

interface State {
  organization_id: string;
  monitor_id: string;
}

/**
 * Lets monitors that have a state, but no report, count as operational before their first report. A monitor gets a state when
 * an incident or a maintenance window affects it, or when its days are computed.
 */
export class UnreportedMonitors1763652800100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const nil = '00000000-0000-0000-0000-000000000000';
    let last: State | undefined = { organization_id: nil, monitor_id: nil };
    while (last) {
      const states: State[] = await queryRunner.query(
        `SELECT organization_id, monitor_id
           FROM monitor_states
          WHERE (organization_id, monitor_id) > ($1, $2) AND status IS NULL AND NOT is_operational_until_reported
          ORDER BY organization_id, monitor_id
          LIMIT ${BATCH}`,
        [last.organization_id, last.monitor_id],
      );
      if (states.length > 0) await this.change(queryRunner, states);
      last = states.at(-1);
    }
  }

  private async change(queryRunner: QueryRunner, states: State[]): Promise<void> {
    const keys = [
      states.map(({ organization_id }) => organization_id),
      states.map(({ monitor_id }) => monitor_id),
    ];
    const batch = `(organization_id, monitor_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`;
    await queryRunner.startTransaction();
    // In the order of all other transactions, so that they do not deadlock.
    await queryRunner.query(
      `SELECT FROM monitor_states WHERE ${batch} ORDER BY organization_id, monitor_id FOR NO KEY UPDATE`,
      keys,
    );
    await queryRunner.query(
      `UPDATE monitor_states SET is_operational_until_reported = true WHERE ${batch} AND status IS NULL`,
      keys,
    );
    await queryRunner.commitTransaction();
  }

  async down(): Promise<void> {
    // The previous migration drops the column.
  }
}
