import { CommanderError } from 'commander';
import { createClient } from '../index.js';
import { Connection } from './connection.js';
import { dryRunResult } from './dry-run.js';
import { describeError, EXIT } from './errors.js';
import { createProgram } from './program.js';
import type { Output, Run } from './result.js';
import { Session } from './session.js';
import { type GlobalOptions, settingsOf } from './settings.js';
import { printable } from './text.js';

const MAX_RETRY_AFTER = 15; // seconds; someone waits for the command

/** Environment and output of a call: `process`, or streams of a test. */
export interface Surroundings extends Output {
  env: NodeJS.ProcessEnv;
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Runs one call of the command.
 * @returns the exit code
 */
export async function runCommand(parameters: string[], surroundings: Surroundings): Promise<number> {
  const { env, stdout } = surroundings;
  const stderr = { write: (text: string) => surroundings.stderr.write(withoutKeys(text, env)) };
  let connection: Connection | undefined;
  let exitCode: number = EXIT.success;

  const run: Run = async (command, work) => {
    const options = command.optsWithGlobals<GlobalOptions>();
    const settings = settingsOf(options, env);
    const sender = new Connection(settings, surroundings.fetch ?? ((request) => fetch(request)));
    connection = sender;
    const { url: baseUrl, apiKey, project } = settings;
    const client = createClient({
      baseUrl,
      apiKey,
      maxRetryAfter: MAX_RETRY_AFTER,
      fetch: (request) => sender.send(request),
    });
    const result = options.dryRun
      ? await client
          .dryRun((dry) => work(new Session(dry, project, true)))
          .then((outcome) => (sender.hasWritten ? dryRunResult(outcome) : outcome.result))
      : await work(new Session(client, project, false));
    stdout.write(options.json ? `${JSON.stringify(result.json)}\n` : result.text);
    for (const warning of sender.warnings) stderr.write(`warning: ${printable(warning)}.\n`);
    if (result.note !== undefined) stderr.write(`${result.note}\n`);
    exitCode = result.exitCode ?? EXIT.success;
  };

  try {
    await createProgram(run, { stdout, stderr }).parseAsync(parameters, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    const { message, exitCode: code } = describeError(error, connection?.requestBody ?? '');
    stderr.write(`error: ${message.split('\n').map(printable).join('\n')}\n`);
    return code;
  }
}

/** Removes API keys from an error, such as of `--key=sp_…`. */
function withoutKeys(text: string, { STATUS_PAGES_KEY: key }: NodeJS.ProcessEnv): string {
  const hidden = text.replaceAll(/sp_[0-9A-Za-z]{8,}/g, 'sp_…');
  return key?.trim() ? hidden.replaceAll(key.trim(), 'sp_…') : hidden;
}
