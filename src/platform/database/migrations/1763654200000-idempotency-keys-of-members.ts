import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets members have idempotency keys beside API keys, so that a form that is sent twice publishes once. The rows are deleted after a
 * day, and with their organization. `api_key_id` keeps its name, because earlier versions of the service run at the same time.
 */
export class IdempotencyKeysOfMembers1763654200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE idempotency_keys DROP CONSTRAINT IF EXISTS idempotency_keys_api_key_fkey',
    );
    await queryRunner.query(`
      ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_organization_id_fkey
        FOREIGN KEY (organization_id) REFERENCES organizations ON DELETE CASCADE NOT VALID`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_organization_id_fkey',
    );
    await queryRunner.query(`
      DELETE FROM idempotency_keys
       WHERE NOT EXISTS (SELECT FROM api_keys
                          WHERE api_keys.organization_id = idempotency_keys.organization_id AND id = api_key_id)`);
    await queryRunner.query(`
      ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_api_key_fkey
        FOREIGN KEY (organization_id, api_key_id) REFERENCES api_keys (organization_id, id) ON DELETE CASCADE`);
  }
}
