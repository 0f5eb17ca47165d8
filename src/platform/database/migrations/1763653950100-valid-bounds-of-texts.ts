import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS =
  `projects.name api_keys.name api_keys.prefix monitors.name monitors.description status_pages.name
  status_pages.slug status_pages.description status_pages.accent_color incidents.title incidents.postmortem
  incident_updates.body maintenances.title maintenances.body`.split(/\s+/);

/**
 * Validates the bounds of texts. If a row that was not written by the service exceeds a bound, the migration removes the bound,
 * so that the service starts and can update the row.
 */
export class ValidBoundsOfTexts1763653950100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of COLUMNS) {
      const [table = '', column = ''] = name.split('.');
      const constraint = `${table}_${column}_check`;
      // The constraint does not exist if an interrupted run has removed it.
      await queryRunner.query(`
        DO $$
        BEGIN
          ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint};
        EXCEPTION
          WHEN check_violation THEN ALTER TABLE ${table} DROP CONSTRAINT ${constraint};
          WHEN undefined_object THEN NULL;
        END $$`);
    }
  }

  async down(): Promise<void> {}
}
