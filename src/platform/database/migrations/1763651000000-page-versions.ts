import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows pages show, the events other than an update that change a page, and the location of the project. */
const SHOWN = [
  { table: 'monitors', events: 'DELETE', project: 'of_row' },
  { table: 'incidents', events: 'INSERT OR DELETE', project: 'of_row' },
  { table: 'incident_updates', events: 'INSERT OR DELETE', project: 'of_incident' },
  { table: 'maintenances', events: 'INSERT OR DELETE', project: 'of_row' },
];

/**
 * Adds a version to the pages of a project. It increases in each transaction that changes their contents. The triggers are
 * deferred until the end of the transaction. If all writers of a project locked one row earlier, they would wait for each
 * other, and deadlock.
 */
export class PageVersions1763651000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // No foreign key, because the deletion of a project would lock its row here before the rows of its monitors.
    await queryRunner.query(`
      CREATE TABLE page_versions (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL CONSTRAINT page_versions_pkey PRIMARY KEY,
        version bigint NOT NULL
      ) WITH (fillfactor = 50)`);
    // Reports that change a run, and reports of a stale monitor, increment it. Other reports that extend a run do not.
    await queryRunner.query(`ALTER TABLE monitor_states ADD COLUMN revision integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE FUNCTION raise_page_version(organization uuid, project uuid) RETURNS void LANGUAGE sql AS $$
        INSERT INTO page_versions AS page (organization_id, project_id, version)
        SELECT organization, project, pg_current_xact_id()::text::bigint
         WHERE EXISTS (SELECT FROM projects WHERE organization_id = organization AND id = project)
            ON CONFLICT (project_id) DO UPDATE SET version = excluded.version
         WHERE page.version <> excluded.version
      $$`);
    await this.createTriggerFunction(queryRunner, 'of_row', 'changed.project_id');
    await this.createTriggerFunction(
      queryRunner,
      'of_monitor',
      '(SELECT project_id FROM monitors WHERE organization_id = changed.organization_id AND id = changed.monitor_id)',
    );
    await this.createTriggerFunction(
      queryRunner,
      'of_incident',
      '(SELECT project_id FROM incidents WHERE organization_id = changed.organization_id AND id = changed.incident_id)',
    );
    for (const { table, events, project } of SHOWN) {
      await this.createTrigger(queryRunner, `${table}_page_version`, `${events} ON ${table}`, project);
      const changed = `UPDATE ON ${table}`;
      await this.createTrigger(
        queryRunner,
        `${table}_changed_page_version`,
        changed,
        project,
        'OLD IS DISTINCT FROM NEW',
      );
    }
    const first = 'INSERT ON monitor_states';
    await this.createTrigger(
      queryRunner,
      'monitor_states_page_version',
      first,
      'of_monitor',
      'NEW.status IS NOT NULL',
    );
    await this.createTrigger(
      queryRunner,
      'monitor_states_changed_page_version',
      'UPDATE OF revision ON monitor_states',
      'of_monitor',
      'OLD.revision <> NEW.revision',
    );
    await queryRunner.query(`
      CREATE FUNCTION delete_page_version() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          DELETE FROM page_versions WHERE organization_id = OLD.organization_id AND project_id = OLD.id;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER projects_delete_page_version AFTER DELETE ON projects
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION delete_page_version()`);
  }

  /** @param project SQL of the project that owns the row `changed`; null if it is deleted */
  private async createTriggerFunction(
    queryRunner: QueryRunner,
    name: string,
    project: string,
  ): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION raise_page_version_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          changed record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          PERFORM raise_page_version(changed.organization_id, ${project});
          RETURN NULL;
        END
      $$`);
  }

  private async createTrigger(
    queryRunner: QueryRunner,
    name: string,
    event: string,
    project: string,
    when = 'true',
  ): Promise<void> {
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER ${name} AFTER ${event}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when})
        EXECUTE FUNCTION raise_page_version_${project}()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION delete_page_version CASCADE`);
    for (const of of ['row', 'monitor', 'incident'])
      await queryRunner.query(`DROP FUNCTION raise_page_version_of_${of} CASCADE`);
    await queryRunner.query(`DROP FUNCTION raise_page_version`);
    await queryRunner.query(`ALTER TABLE monitor_states DROP COLUMN revision`);
    await queryRunner.query(`DROP TABLE page_versions`);
  }
}
