import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['status_page_branding', 'status_page_images'];

/** Creates the tables of the branding of status pages and of its pictures. A change of a row increases the page version. */
export class Branding1763652910000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE status_page_branding (
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL CONSTRAINT status_page_branding_pkey PRIMARY KEY,
        language text NOT NULL DEFAULT 'en'
          CONSTRAINT status_page_branding_language_check
            CHECK (language IN ('en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh')),
        time_zone text NOT NULL DEFAULT 'UTC'
          CONSTRAINT status_page_branding_time_zone_check CHECK (char_length(time_zone) BETWEEN 1 AND 64),
        website_url text
          CONSTRAINT status_page_branding_website_url_check CHECK (char_length(website_url) BETWEEN 1 AND 2000),
        support_url text
          CONSTRAINT status_page_branding_support_url_check CHECK (char_length(support_url) BETWEEN 1 AND 2000),
        links jsonb NOT NULL DEFAULT '[]',
        theme text NOT NULL DEFAULT 'auto'
          CONSTRAINT status_page_branding_theme_check CHECK (theme IN ('auto', 'light', 'dark')),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT status_page_branding_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(`
      CREATE TABLE status_page_images (
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL,
        kind text NOT NULL
          CONSTRAINT status_page_images_kind_check CHECK (kind IN ('logo', 'logo_dark', 'favicon')),
        hash text NOT NULL CONSTRAINT status_page_images_hash_check CHECK (hash ~ '^[0-9a-f]{16}$'),
        content_type text NOT NULL
          CONSTRAINT status_page_images_content_type_check
            CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
        width integer NOT NULL CONSTRAINT status_page_images_width_check CHECK (width BETWEEN 1 AND 4096),
        height integer NOT NULL CONSTRAINT status_page_images_height_check CHECK (height BETWEEN 1 AND 4096),
        size integer NOT NULL,
        bytes bytea NOT NULL,
        CONSTRAINT status_page_images_pkey PRIMARY KEY (status_page_id, kind),
        CONSTRAINT status_page_images_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE,
        CONSTRAINT status_page_images_size_check
          CHECK (size = octet_length(bytes) AND size BETWEEN 1 AND 524288)
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(`
      CREATE FUNCTION raise_page_version_of_status_page() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          changed record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          PERFORM raise_page_version(
            changed.organization_id,
            (SELECT project_id FROM status_pages
              WHERE organization_id = changed.organization_id AND id = changed.status_page_id)
          );
          RETURN NULL;
        END
      $$`);
    for (const table of TABLES) {
      await this.createTrigger(queryRunner, table, 'page_version', 'INSERT OR DELETE', 'true');
      const isChanged = 'OLD IS DISTINCT FROM NEW';
      await this.createTrigger(queryRunner, table, 'changed_page_version', 'UPDATE', isChanged);
    }
  }

  private async createTrigger(
    queryRunner: QueryRunner,
    table: string,
    name: string,
    events: string,
    when: string,
  ): Promise<void> {
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER ${table}_${name} AFTER ${events} ON ${table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when})
        EXECUTE FUNCTION raise_page_version_of_status_page()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`DROP TABLE ${table}`);
    await queryRunner.query(`DROP FUNCTION raise_page_version_of_status_page`);
  }
}
