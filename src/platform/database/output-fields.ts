/**
 * A field of a response: a column, or SQL that computes it from the row's columns. SQL for `updated_at` replaces the
 * column as the version of the resource.
 *
 *     ['id', { as: 'status', sql: `CASE WHEN ends_at <= now() THEN 'completed' ELSE 'open' END` }, 'updated_at']
 */
export type OutputField<Column, Field> = Column | { as: Field; sql: string };

/** SQL of response fields. */
export interface OutputSql {
  /** Fields in a SELECT or RETURNING. */
  columns: string;
  /** A row of the table as JSON. */
  json: string;
  /** A row `resource` with {@link columns} as JSON. */
  jsonOfColumns: string;
  /** Version of a table row: a time, and its text. */
  version: string;
  versionText: string;
}

/** @param types the types of all columns of the table, by name */
export function outputSql(
  output: readonly OutputField<string, string>[],
  types: ReadonlyMap<string, string>,
): OutputSql {
  const fields = output.map((field) => (typeof field === 'string' ? { as: field, sql: field } : field));
  const jsonOf = (sqlOf: (field: { as: string; sql: string }) => string) => {
    const values = fields.map((field) => {
      const isTime = types.get(field.as)?.startsWith('timestamp');
      return `${isTime ? toIsoText(sqlOf(field)) : sqlOf(field)} AS ${field.as}`;
    });
    return `row_to_json((SELECT output FROM (SELECT ${values.join(', ')}) AS output))`;
  };
  const version = fields.find(({ as }) => as === 'updated_at')?.sql ?? 'updated_at';
  return {
    columns: fields.map(({ as, sql }) => (as === sql ? as : `${sql} AS ${as}`)).join(', '),
    json: jsonOf(({ sql }) => sql),
    jsonOfColumns: jsonOf(({ as }) => `resource.${as}`),
    version,
    versionText: types.has('updated_at') ? toIsoText(version) : 'NULL',
  };
}

/** Returns SQL of a time as text, in the form of responses. */
export function toIsoText(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
