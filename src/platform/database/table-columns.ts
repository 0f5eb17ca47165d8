import type { EntityMetadata, ObjectLiteral } from 'typeorm';

/** Columns that clients cannot write: identity, owner and version. */
const READ_ONLY_COLUMNS: ReadonlySet<string> = new Set([
  'id',
  'organization_id',
  'project_id',
  'created_at',
  'updated_at',
]);

/** Columns to write, and the parameters with their values. */
export interface Assignments {
  names: string[];
  columns: string;
  placeholders: string;
}

/** Columns of a table, and SQL of their values. */
export abstract class TableColumns<Entity extends ObjectLiteral> {
  /** Types of all columns by name. */
  protected readonly types: ReadonlyMap<string, string>;
  /** Columns that clients can write, with their types. */
  private readonly writable: [column: string, type: string][];

  constructor({ columns, dataSource }: EntityMetadata) {
    this.types = new Map(
      columns.map((column) => {
        const type = dataSource.driver.normalizeType(column);
        return [column.databaseName, column.isArray ? `${type}[]` : type];
      }),
    );
    this.writable = [...this.types].filter(([column]) => !READ_ONLY_COLUMNS.has(column));
  }

  /** Returns SQL that continues a WHERE clause: columns equal the values of `filter`, but for undefined. Appends to `parameters`. */
  equals(filter: Partial<Entity>, parameters: unknown[]): string {
    return [...this.types.keys()]
      .filter((column) => filter[column] !== undefined)
      .map((column) => ` AND ${column} = $${parameters.push(filter[column])}`)
      .join('');
  }

  /** Returns SQL for the writable columns of `values`. Appends their values to `parameters`. */
  assignments(values: Partial<Entity>, parameters: unknown[]): Assignments {
    const assigned = this.writable.filter(([column]) => values[column] !== undefined);
    const names = assigned.map(([column]) => column);
    return {
      names,
      columns: names.join(', '),
      placeholders: assigned
        .map(([column, type]) => {
          const value: unknown = values[column];
          const isJson = type === 'jsonb' && value !== null;
          return `$${parameters.push(isJson ? JSON.stringify(value) : value)}::${type}`;
        })
        .join(', '),
    };
  }
}
