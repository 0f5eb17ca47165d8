import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CHECK_VIOLATION, isSqlState } from '../statements.js';

const COLUMNS =
  `projects.name api_keys.name api_keys.prefix monitors.name monitors.description status_pages.name
  status_pages.slug status_pages.description status_pages.accent_color incidents.title incidents.postmortem
  incident_updates.body maintenances.title maintenances.body`.split(/\s+/);

/** The constraint does not exist (PostgreSQL, appendix A). */
const UNDEFINED_OBJECT = '42704';

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
      try {
        await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
      } catch (error) {
        if (isSqlState(error, UNDEFINED_OBJECT)) continue; // removed before an interruption
        if (!isSqlState(error, CHECK_VIOLATION)) throw error;
        await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`);
      }
    }
  }

  async down(): Promise<void> {}
}
