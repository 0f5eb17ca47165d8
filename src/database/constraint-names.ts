import { DefaultNamingStrategy, type Table } from 'typeorm';

/**
 * Names of constraints as PostgreSQL itself makes them, so that entities need not repeat those of the migrations:
 * `monitors_pkey`, `api_keys_organization_id_fkey`; and `monitors_project_fkey` for the composite key to a project.
 */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    const target = columns.includes('project_id') ? 'project' : columns.join('_');
    return `${this.getTableName(table)}_${target}_fkey`;
  }
}
