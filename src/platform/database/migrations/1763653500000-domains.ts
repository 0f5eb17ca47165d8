import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of claimed domains. Triggers keep it equal to `status_pages.custom_domain`, and record each change of the
 * domains that are served, so that all processes can follow them.
 */
export class Domains1763653500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE status_page_domains (
        organization_id uuid NOT NULL,
        status_page_id uuid NOT NULL CONSTRAINT status_page_domains_pkey PRIMARY KEY,
        domain text NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CONSTRAINT status_page_domains_status_check CHECK (status IN ('pending', 'verified', 'lost')),
        found text[],
        error text,
        routing jsonb,
        claimed_at timestamptz(3) NOT NULL DEFAULT now(),
        checked_at timestamptz(3),
        verified_at timestamptz(3),
        missing_since timestamptz(3),
        next_check_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT status_page_domains_status_page_fkey
          FOREIGN KEY (organization_id, status_page_id) REFERENCES status_pages (organization_id, id)
          ON DELETE CASCADE
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX status_page_domains_verified_idx ON status_page_domains (domain) WHERE status = 'verified'`,
    );
    await queryRunner.query(`CREATE INDEX status_page_domains_domain_idx ON status_page_domains (domain)`);
    await queryRunner.query(
      `CREATE INDEX status_page_domains_next_check_idx ON status_page_domains (next_check_at)`,
    );
    await queryRunner.query(`
      CREATE TABLE domain_changes (
        domain text NOT NULL CONSTRAINT domain_changes_pkey PRIMARY KEY,
        changed_at timestamptz(3) NOT NULL
      ) WITH (
        fillfactor = 90,
        autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_vacuum_insert_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.02
      )`);
    await queryRunner.query(`CREATE INDEX domain_changes_changed_idx ON domain_changes (changed_at)`);
    await this.claim(queryRunner);
    await this.recordChanges(queryRunner);
    await queryRunner.query(`
      INSERT INTO status_page_domains (organization_id, status_page_id, domain)
      SELECT organization_id, id, custom_domain FROM status_pages WHERE custom_domain IS NOT NULL
      ON CONFLICT DO NOTHING`);
  }

  /** A new domain of a page is a pending claim. */
  private async claim(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION claim_domain() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP = 'UPDATE' THEN
            DELETE FROM status_page_domains
             WHERE organization_id = NEW.organization_id AND status_page_id = NEW.id;
          END IF;
          IF NEW.custom_domain IS NOT NULL THEN
            INSERT INTO status_page_domains (organization_id, status_page_id, domain)
            VALUES (NEW.organization_id, NEW.id, NEW.custom_domain);
          END IF;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_claim_domain AFTER INSERT ON status_pages
        FOR EACH ROW WHEN (NEW.custom_domain IS NOT NULL) EXECUTE FUNCTION claim_domain()`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_claim_other_domain AFTER UPDATE OF custom_domain ON status_pages
        FOR EACH ROW WHEN (OLD.custom_domain IS DISTINCT FROM NEW.custom_domain) EXECUTE FUNCTION claim_domain()`);
  }

  private async recordChanges(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION record_domain_change(changed text) RETURNS void LANGUAGE sql AS $$
        INSERT INTO domain_changes (domain, changed_at) VALUES (changed, clock_timestamp())
            ON CONFLICT (domain) DO UPDATE SET changed_at = excluded.changed_at
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION record_change_of_domain() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM record_domain_change(CASE WHEN TG_OP = 'DELETE' THEN OLD.domain ELSE NEW.domain END);
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION record_change_of_page() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM record_domain_change(NEW.custom_domain);
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER status_page_domains_inserted AFTER INSERT ON status_page_domains
        FOR EACH ROW WHEN (NEW.status = 'verified') EXECUTE FUNCTION record_change_of_domain()`);
    await queryRunner.query(`
      CREATE TRIGGER status_page_domains_changed AFTER UPDATE OF status ON status_page_domains
        FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION record_change_of_domain()`);
    await queryRunner.query(`
      CREATE TRIGGER status_page_domains_deleted AFTER DELETE ON status_page_domains
        FOR EACH ROW WHEN (OLD.status = 'verified') EXECUTE FUNCTION record_change_of_domain()`);
    await queryRunner.query(`
      CREATE TRIGGER status_pages_with_domain_changed AFTER UPDATE OF slug, is_public ON status_pages
        FOR EACH ROW WHEN ((OLD.slug, OLD.is_public) <> (NEW.slug, NEW.is_public) AND NEW.custom_domain IS NOT NULL)
        EXECUTE FUNCTION record_change_of_page()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION claim_domain CASCADE`);
    await queryRunner.query(`DROP FUNCTION record_change_of_page CASCADE`);
    await queryRunner.query(`DROP TABLE status_page_domains`);
    await queryRunner.query(`DROP FUNCTION record_change_of_domain`);
    await queryRunner.query(`DROP FUNCTION record_domain_change`);
    await queryRunner.query(`DROP TABLE domain_changes`);
  }
}
