export { copyDatabase } from './copy-database.js';
export { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
export type { EmbeddedPostgresOptions } from './options.js';
