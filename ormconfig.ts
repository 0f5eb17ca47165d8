import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/database/data-source-options.js';

/**
 * The data source of TypeORM's own command line, on the PostgreSQL of DATABASE_URL. After `npm run build`:
 * `npx typeorm migration:show -d dist/ormconfig.js`. The server runs pending migrations by itself.
 */
export default new DataSource(
  dataSourceOptions(
    { url: process.env['DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/status_pages' },
    2,
    'none',
  ),
);
