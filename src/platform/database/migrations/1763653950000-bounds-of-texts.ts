import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits the texts of a table as the API limits them. A migration per table, so that none holds the locks of two. */
abstract class Bounds implements MigrationInterface {
  protected abstract readonly table: string;
  /** SQL conditions by column. */
  protected abstract readonly bounds: Record<string, string>;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [column, condition] of Object.entries(this.bounds))
      await queryRunner.query(
        `ALTER TABLE ${this.table} ADD CONSTRAINT ${this.table}_${column}_check CHECK (${condition}) NOT VALID`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of Object.keys(this.bounds))
      await queryRunner.query(
        `ALTER TABLE ${this.table} DROP CONSTRAINT IF EXISTS ${this.table}_${column}_check`,
      );
  }
}

export class BoundsOfProjects1763653950000 extends Bounds {
  readonly table = 'projects';
  readonly bounds = { name: 'char_length(name) BETWEEN 1 AND 200' };
}

export class BoundsOfApiKeys1763653950010 extends Bounds {
  readonly table = 'api_keys';
  readonly bounds = { name: 'char_length(name) BETWEEN 1 AND 200', prefix: 'char_length(prefix) = 8' };
}

export class BoundsOfMonitors1763653950020 extends Bounds {
  readonly table = 'monitors';
  readonly bounds = {
    name: 'char_length(name) BETWEEN 1 AND 200',
    description: 'char_length(description) <= 2000',
  };
}

export class BoundsOfStatusPages1763653950030 extends Bounds {
  readonly table = 'status_pages';
  readonly bounds = {
    name: 'char_length(name) BETWEEN 1 AND 200',
    slug: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 63`,
    description: 'char_length(description) <= 2000',
    accent_color: `accent_color ~ '^#[0-9a-fA-F]{6}$'`,
  };
}

export class BoundsOfIncidents1763653950040 extends Bounds {
  readonly table = 'incidents';
  readonly bounds = {
    title: 'char_length(title) BETWEEN 1 AND 200',
    postmortem: 'char_length(postmortem) BETWEEN 1 AND 50000',
  };
}

export class BoundsOfIncidentUpdates1763653950050 extends Bounds {
  readonly table = 'incident_updates';
  readonly bounds = { body: 'char_length(body) BETWEEN 1 AND 10000' };
}

export class BoundsOfMaintenances1763653950060 extends Bounds {
  readonly table = 'maintenances';
  readonly bounds = {
    title: 'char_length(title) BETWEEN 1 AND 200',
    body: 'char_length(body) <= 10000',
  };
}
