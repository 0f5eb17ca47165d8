import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { findTables } from '../../src/platform/backup/tables.js';
import { columnsOf } from '../support/catalogue.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

describe('a backup', () => {
  it('contains each column of each table, after the tables that it refers to', async () => {
    const dataSource = server.app.get(DataSource);
    const tables = await findTables(dataSource.createQueryRunner());
    const saved = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
    const stored = (await columnsOf(server)).map(({ table, column }) => `${table}.${column}`);
    expect(saved.toSorted()).toEqual(stored.filter((name) => !name.startsWith('migrations.')).toSorted());
    const names = tables.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(dataSource.entityMetadatas.map(({ tableName }) => tableName)),
    );
    for (const { name, refers_to } of tables)
      for (const other of refers_to)
        expect([name, other, names.indexOf(other) < names.indexOf(name)]).toEqual([name, other, true]);
  });
});
