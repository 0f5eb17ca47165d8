import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { migrate, pendingMigrations } from '../database/migrate.js';

/** Runs a command on the database as it is, without migrations and without the application, and prints its result as JSON. */
export type RunOnDatabase = (command: (dataSource: DataSource) => Promise<object>) => Promise<void>;

/** Adds the command `migrate`, which runs the migrations before the first process of a new version starts. */
export function addMigrateCommand(program: Command, run: RunOnDatabase): void {
  program
    .command('migrate')
    .description('run the pending migrations, which the server does at its start, too')
    .option('--dry-run', 'print the pending migrations, without running them', false)
    .action(({ dryRun }: { dryRun: boolean }) =>
      run(async (dataSource) => {
        const migrations = dryRun ? await pendingMigrations(dataSource) : await migrate(dataSource);
        return { dry_run: dryRun, migrations };
      }),
    );
}
