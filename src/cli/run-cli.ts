import { resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import type { INestApplicationContext } from '@nestjs/common';
import type { Logger } from 'pino';
import { loadEnvFile, PROJECT_DIR } from '../config/env-file.js';
import { type Env, EnvError, loadEnv, findMisspelledNames } from '../config/env.js';
import { databaseLabel } from '../database/unavailable.js';
import { Problem } from '../problems/problem.js';
import { NestLogger } from '../logging/logger.js';
import { LOGGER } from '../logging/logging.module.js';
import { CliModule } from './cli.module.js';
import { createProgram, type Output } from './program.js';
import { CliError } from './cli-error.js';

const MAX_ERRORS_SHOWN = 10;

/**
 * Runs one call of the CLI.
 * @returns the exit code
 */
export async function runCli(parameters: string[], { stdout, stderr }: Output): Promise<number> {
  /** Opens the database, runs a command, and prints its result as one JSON object. Prints the database to standard error. */
  async function run(command: (app: INestApplicationContext) => Promise<object>): Promise<void> {
    loadEnvFile();
    const env = loadEnv(process.env);
    for (const warning of findMisspelledNames(process.env)) stderr.write(`warning: ${warning}\n`);
    stderr.write(`database: ${describeDatabase(env)}\n`);
    const app = await NestFactory.createApplicationContext(CliModule, {
      abortOnError: false,
      logger: false,
    });
    app.useLogger(new NestLogger(app.get<Logger>(LOGGER)));
    try {
      stdout.write(`${JSON.stringify(await command(app))}\n`);
    } finally {
      await app.close();
    }
  }

  try {
    await createProgram(run, { stdout, stderr }).parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode; // printed by commander
    const expected = error instanceof Problem || error instanceof CliError || error instanceof EnvError;
    stderr.write(`error: ${toMessage(error).replaceAll('\n', '; ')}\n`);
    if (!expected && error instanceof Error && process.env['LOG_LEVEL'] === 'debug')
      stderr.write(`${error.stack}\n`);
    return 1;
  }
}

/** The configured database, without user and password. */
function describeDatabase({ DATABASE_URL, DATA_DIR }: Env): string {
  if (DATABASE_URL === undefined) return `embedded, in ${resolve(PROJECT_DIR, DATA_DIR)}`;
  return databaseLabel(DATABASE_URL);
}

/** One line that says what to change. */
function toMessage(error: unknown): string {
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
