import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accepts any type of event in the form `resource.change`. The type `EventType` lists them, so a new one needs no migration. */
export class OpenEventTypes1763653820000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events DROP CONSTRAINT events_type_check`);
    await queryRunner.query(
      `ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type LIKE '_%._%') NOT VALID`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const types = `
        'incident.created', 'incident.updated', 'incident.resolved', 'incident.reopened',
        'incident.postmortem_published', 'incident.deleted', 'maintenance.scheduled', 'maintenance.rescheduled',
        'maintenance.reminder', 'maintenance.started', 'maintenance.completed', 'maintenance.cancelled',
        'monitor.status_changed', 'status_page.created', 'status_page.updated', 'status_page.deleted',
        'status_page.restored', 'webhook_endpoint.disabled'`;
    await queryRunner.query(`DELETE FROM events WHERE type NOT IN (${types})`);
    await queryRunner.query(`ALTER TABLE events DROP CONSTRAINT events_type_check`);
    await queryRunner.query(`ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (type IN (${types}))`);
  }
}
