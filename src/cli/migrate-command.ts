import type { Command } from 'commander';
import { withUnmigrated } from '../platform/database/database.module.js';
import { migrate, pendingMigrations } from '../platform/database/migrate.js';
import type { RunAlone } from './backup-commands.js';

/** Adds the command `migrate`, which runs the migrations before the first process of a new version starts. */
export function addMigrateCommand(program: Command, run: RunAlone): void {
  program
    .command('migrate')
    .description('run the pending migrations, as the server does on startup')
    .option('--dry-run', 'print the pending migrations without running them', false)
    .action(({ dryRun }: { dryRun: boolean }) =>
      run(async (env) => {
        const migrations = await withUnmigrated(env, dryRun ? pendingMigrations : migrate);
        return { dry_run: dryRun, migrations };
      }),
    );
}
