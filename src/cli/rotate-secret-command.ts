import type { Command } from 'commander';
import { Env } from '../platform/config/env.js';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import { CliError } from './cli-error.js';
import type { RunCommand } from './program.js';

/** Adds the command `rotate-secret`, which creates a new key of the instance. */
export function addRotateSecretCommand(program: Command, run: RunCommand): void {
  program
    .command('rotate-secret')
    .description('create a new key of the instance; links in old mail work for another 90 days')
    .action(() =>
      run(async (app) => {
        if (app.get(Env).SECRET_KEY)
          throw new CliError(
            'SECRET_KEY is set and replaces the key in the database. Put a new key before it, separated by a comma, and restart the servers',
          );
        return app.get(SecretsService).rotate();
      }),
    );
}
