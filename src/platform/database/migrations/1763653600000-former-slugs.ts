import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maximum number of former slugs per page, so that a page cannot keep any number of slugs from other organizations. */
const MAX_SLUGS = 20;

/**
 * Creates the table of former slugs. Triggers on `status_pages` keep it: a changed slug is inserted, and a slug that a page of the
 * same organization uses again is deleted. So no slug is both former and current. For a year, pages of other organizations cannot
 * use a former slug; the trigger also checks it, because the slug can become a former one while another transaction inserts it.
 */
export class FormerSlugs1763653600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE former_slugs (
        organization_id uuid NOT NULL,
        slug text NOT NULL CONSTRAINT former_slugs_pkey PRIMARY KEY,
        status_page_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT former_slugs_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(`
      CREATE INDEX former_slugs_status_page_idx ON former_slugs (organization_id, status_page_id, created_at)`);
    await queryRunner.query(`
      CREATE FUNCTION is_former_slug_of_others(name text, organization uuid) RETURNS boolean STABLE LANGUAGE sql AS $$
        SELECT EXISTS (
          SELECT FROM former_slugs
           WHERE slug = name AND organization_id <> organization AND created_at > now() - interval '1 year'
        )
      $$`);
    // Like ON CONFLICT DO NOTHING of the insert, which finds only current slugs.
    await queryRunner.query(`
      CREATE FUNCTION skip_former_slug() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RETURN CASE WHEN is_former_slug_of_others(NEW.slug, NEW.organization_id) THEN NULL ELSE NEW END;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_skip_former_slug BEFORE INSERT ON status_pages
        FOR EACH ROW EXECUTE FUNCTION skip_former_slug()`);
    await queryRunner.query(`
      CREATE FUNCTION keep_former_slug() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF is_former_slug_of_others(NEW.slug, NEW.organization_id) THEN
            RAISE unique_violation USING MESSAGE = 'the slug is a former one of another organization',
                                         CONSTRAINT = 'former_slugs_pkey';
          END IF;
          DELETE FROM former_slugs WHERE slug = NEW.slug;
          IF TG_OP = 'UPDATE' THEN
            INSERT INTO former_slugs (organization_id, slug, status_page_id, created_at)
            VALUES (NEW.organization_id, OLD.slug, NEW.id, clock_timestamp())
                ON CONFLICT (slug) DO UPDATE
               SET organization_id = excluded.organization_id, status_page_id = excluded.status_page_id,
                   created_at = excluded.created_at;
            DELETE FROM former_slugs
             WHERE organization_id = NEW.organization_id
               AND slug IN (
                     SELECT slug FROM former_slugs
                      WHERE organization_id = NEW.organization_id AND status_page_id = NEW.id
                      ORDER BY created_at DESC
                     OFFSET ${MAX_SLUGS}
                   );
          END IF;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_use_slug AFTER INSERT ON status_pages
        FOR EACH ROW EXECUTE FUNCTION keep_former_slug()`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_keep_former_slug AFTER UPDATE OF slug ON status_pages
        FOR EACH ROW WHEN (OLD.slug <> NEW.slug) EXECUTE FUNCTION keep_former_slug()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION keep_former_slug CASCADE`);
    await queryRunner.query(`DROP FUNCTION skip_former_slug CASCADE`);
    await queryRunner.query(`DROP FUNCTION is_former_slug_of_others`);
    await queryRunner.query(`DROP TABLE former_slugs`);
  }
}
