import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates the form of the types of events. */
export class ValidEventTypes1763653820100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events VALIDATE CONSTRAINT events_type_check`);
  }

  async down(): Promise<void> {}
}
