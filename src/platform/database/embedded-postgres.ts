import {
  copyDatabase,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from '@status-pages/embedded-postgres';
import { APPLICATION_NAME } from './data-source-options.js';

const OPTIONS: EmbeddedPostgresOptions = {
  applicationName: APPLICATION_NAME,
  directoryName: 'DATA_DIR',
  onFailure: ({ message }) => {
    process.stderr.write(`Status Pages stopped because the embedded PostgreSQL failed: ${message}\n`);
    process.exit(1);
  },
};

/** Opens the embedded PostgreSQL in DATA_DIR, see {@link openEmbeddedPostgres}. */
export function openEmbedded(dataDir: string, role: 'server' | 'client'): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres(dataDir, role, OPTIONS);
}

/** Copies the embedded database in DATA_DIR, see {@link copyDatabase}. */
export function copyEmbedded(dataDir: string): Promise<string> {
  return copyDatabase(dataDir, OPTIONS);
}
