import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { QueryRunner } from 'typeorm';
import { type HeldDeliveries, holdDeliveries } from '../deliveries/restore-statements.js';
import { writePrivateFile } from '../platform/backup/backup-file.js';
import { backUp, restore } from '../platform/backup/backup.js';
import { verifyBackup } from '../platform/backup/read-backup.js';
import type { Env } from '../platform/config/env.js';
import { CliError } from './cli-error.js';

/** Runs a command that opens the database itself, and prints its result as JSON, to standard error if `isQuiet`. */
export type RunAlone = (command: (env: Env) => Promise<object>, isQuiet?: boolean) => Promise<void>;

/** Name of standard input or output. */
const STANDARD = '-';

/** Adds the commands `backup` and `restore`. They do not start the application, which would migrate the database. */
export function addBackupCommands(program: Command, run: RunAlone): void {
  program
    .command('backup')
    .description('back up the whole database to a file, even while servers are running')
    .argument('<file>', 'output file, or - for standard output')
    .option('--force', 'overwrite an existing file', false)
    .action((file: string, { force }: { force: boolean }) =>
      run(
        (env) =>
          untilInterrupted(async (signal) => {
            if (file === STANDARD) return backUp(env, process.stdout, signal);
            const summary = await writePrivateFile(file, { force }, (output) => backUp(env, output, signal));
            return { file, ...summary };
          }),
        file === STANDARD,
      ),
    );

  program
    .command('restore')
    .description(
      'restore a backup into an empty database, which then sends no mail and webhooks about the past',
    )
    .argument('<file>', 'backup file, or - for standard input')
    .option(
      '--keep-deliveries',
      'send what was pending and planned in the backup, for a move to another database',
      false,
    )
    .action((file: string, { keepDeliveries }: { keepDeliveries: boolean }) =>
      run(async (env) => {
        let deliveries: HeldDeliveries | undefined;
        const hold = async (runner: QueryRunner) => {
          if (!keepDeliveries) deliveries = await holdDeliveries(runner);
        };
        const restoreFrom = async (input: Readable) => ({
          ...(await restore(env, input, hold)),
          ...(deliveries && { deliveries }),
        });
        if (file === STANDARD) return restoreFrom(process.stdin);
        try {
          await verifyBackup(createReadStream(file)); // before the database is changed
          return await restoreFrom(createReadStream(file));
        } catch (error) {
          if (error instanceof Error && 'syscall' in error && 'code' in error && error.syscall !== 'connect')
            throw new CliError(`${file} cannot be read: ${String(error.code)}`);
          throw error;
        }
      }),
    );
}

/** Runs `work` with a signal that SIGINT and SIGTERM abort, so that it can remove its files. */
async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new CliError('interrupted') : error;
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}
