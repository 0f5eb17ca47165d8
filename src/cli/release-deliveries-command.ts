import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { releaseDeliveries } from '../deliveries/restore-statements.js';
import type { RunCommand } from './program.js';

/** Adds the command `release-deliveries`, which sends what a restore holds. */
export function addReleaseDeliveriesCommand(program: Command, run: RunCommand): void {
  program
    .command('release-deliveries')
    .description('send the planned notifications of maintenance windows that a restore holds')
    .action(() => run(async (app) => ({ released: await releaseDeliveries(app.get(DataSource)) })));
}
