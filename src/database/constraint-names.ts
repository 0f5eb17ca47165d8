import { DefaultNamingStrategy, type Table } from 'typeorm';

/**
 * Generates the constraint names of PostgreSQL, which the migrations use: `monitors_pkey`,
 * `api_keys_organization_id_fkey`. The composite foreign key to a project is named `monitors_project_fkey`.
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
