import { DefaultNamingStrategy, type Table } from 'typeorm';

/**
 * Generates PostgreSQL's default constraint names, which the migrations use: `monitors_pkey`, `api_keys_organization_id_fkey`.
 * A composite foreign key, which contains the organization, is named after the other column: `monitors_project_fkey`.
 */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    const others = columns.filter((column) => column !== 'organization_id');
    const target = columns.length > 1 ? others.join('_').replace(/_id$/, '') : columns.join('_');
    return `${this.getTableName(table)}_${target}_fkey`;
  }
}
