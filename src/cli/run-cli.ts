import { resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import type { Logger } from 'pino';
import { loadEnvFile } from '../platform/config/env-file.js';
import { PROJECT_DIR } from '../platform/config/project-files.js';
import { type Env, EnvError, loadEnv, findMisspelledNames } from '../platform/config/env.js';
import { isSqlState, READ_ONLY } from '../platform/database/statements.js';
import { databaseLabel } from '@status-pages/resilient-pg';
import { Problem } from '../platform/problems/problem.js';
import { NestLogger } from '../platform/logging/logger.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { CliModule } from './cli.module.js';
import type { RunAlone } from './backup-commands.js';
import { createProgram, type Output, type RunCommand } from './program.js';
import { CliError } from './cli-error.js';

const MAX_ERRORS_SHOWN = 10;

/**
 * Runs one call of the CLI.
 * @returns the exit code
 */
export async function runCli(parameters: string[], { stdout, stderr }: Output): Promise<number> {
  /** Reads the configuration. Prints warnings and the database that is used to standard error. */
  function configure(): Env {
    loadEnvFile();
    const env = loadEnv(process.env);
    for (const warning of findMisspelledNames(process.env)) stderr.write(`warning: ${warning}\n`);
    env.DATA_DIR = resolve(PROJECT_DIR, env.DATA_DIR);
    stderr.write(`database: ${describeDatabase(env)}\n`);
    return env;
  }

  /** Opens the database, runs a command, and prints its result as one JSON object. */
  const run: RunCommand = async (command, isQuiet = false) => {
    configure();
    const app = await NestFactory.createApplicationContext(CliModule, {
      abortOnError: false,
      logger: false,
    });
    app.useLogger(new NestLogger(app.get<Logger>(LOGGER)));
    try {
      const result = await command(app);
      (isQuiet ? stderr : stdout).write(`${JSON.stringify(result)}\n`);
    } finally {
      await app.close();
    }
  };

  /** Runs a command that opens the database itself. */
  const runAlone: RunAlone = async (command, isQuiet = false) => {
    const result = await command(configure());
    (isQuiet ? stderr : stdout).write(`${JSON.stringify(result)}\n`);
  };

  try {
    await createProgram(run, runAlone, { stdout, stderr }).parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // already printed by commander
    const expected =
      error instanceof Problem ||
      error instanceof CliError ||
      error instanceof EnvError ||
      isSqlState(error, READ_ONLY);
    stderr.write(`error: ${toMessage(error).replaceAll('\n', '; ')}\n`);
    if (!expected && error instanceof Error && process.env['LOG_LEVEL'] === 'debug')
      stderr.write(`${error.stack}\n`);
    return 1;
  }
}

/** Returns the configured database, without user and password. */
function describeDatabase({ DATABASE_URL, DATA_DIR }: Env): string {
  if (DATABASE_URL === undefined) return `embedded, in ${resolve(PROJECT_DIR, DATA_DIR)}`;
  return databaseLabel(DATABASE_URL);
}

/** Returns a message with the necessary change, if it is known. */
function toMessage(error: unknown): string {
  if (isSqlState(error, READ_ONLY))
    return `the database is read-only (${READ_ONLY}). Set DATABASE_URL to the primary`;
  if (error instanceof Problem) {
    const fields = error.errors?.map(({ pointer, detail }) =>
      `${pointer?.replace(/^#\/?/, '') ?? ''} ${detail}`.trim(),
    );
    const more =
      fields && fields.length > MAX_ERRORS_SHOWN ? [`and ${fields.length - MAX_ERRORS_SHOWN} more`] : [];
    return [
      error.detail,
      ...(fields ? [[...fields.slice(0, MAX_ERRORS_SHOWN), ...more].join('; ')] : []),
    ].join(': ');
  }
  return error instanceof Error ? error.message : String(error);
}
