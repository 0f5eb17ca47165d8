import { createRequire } from 'node:module';
import { Command, Option } from 'commander';
import { integer, parseIdempotencyKey } from './arguments.js';
import { addCheckCommands } from './checks.js';
import { addDraftCommands } from './drafts.js';
import { addIncidentCommands } from './incidents.js';
import { addLogCommand } from './log.js';
import { addMaintenanceCommands } from './maintenances.js';
import { addMonitorCommands } from './monitors.js';
import { addPageCommands } from './pages.js';
import { addProjectCommands } from './projects.js';
import type { Output, Run } from './result.js';
import { addStatusCommand } from './status.js';

const manifest: { version: string } = createRequire(import.meta.url)('@status-pages/client/package.json');

const HELP = `
Environment:
  STATUS_PAGES_URL       URL of the service
  STATUS_PAGES_KEY       API key; there is no option for it, because other users of a machine can read command lines
  STATUS_PAGES_KEY_FILE  name of a file that contains the API key
  STATUS_PAGES_PROJECT   ID or name of the project; default: the only project that the key can access

Exit codes:
  0  success
  1  the API rejected the request, or a resource was not found
  2  invalid command line or environment
  3  network error, timeout, rate limit or error of the server: a retry can succeed
  4  status --exit-code: something is wrong

Examples:
  status-pages monitor add "API" --key api
  status-pages page create "Acme" --slug acme --monitor api
  status-pages incident open "API is slow" --monitor api=degraded_performance --page acme
  status-pages incident open "API is slow" --page acme --dry-run
  status-pages incident resolve`;

/**
 * Creates all commands. Help and errors of the command line are printed to `output`, and end the parsing with a
 * `CommanderError`.
 */
export function createProgram(run: Run, { stdout, stderr }: Output): Command {
  const program = new Command('status-pages')
    .description('Publish incidents, maintenance windows and the status of monitors on status pages.')
    .version(manifest.version)
    .option('--url <url>', 'URL of the service (default: STATUS_PAGES_URL)')
    .option(
      '--project <id or name>',
      'project (default: STATUS_PAGES_PROJECT, or the only project of the key)',
    )
    .option('--json', 'print the data of the API as JSON')
    .option('--timeout <seconds>', 'maximum time until a response is complete', integer(1, 300), 30)
    .option(
      '--idempotency-key <key>',
      'lets a repeated call, such as a retried CI job, take effect only once',
      parseIdempotencyKey,
    )
    .addOption(
      new Option(
        '--dry-run',
        'run all checks, print the changes and the number of messages, and change and send nothing',
      ).conflicts('idempotencyKey'),
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride()
    .addHelpText('after', HELP);
  addStatusCommand(program, run);
  addLogCommand(program, run);
  addIncidentCommands(program, run);
  addMaintenanceCommands(program, run);
  addMonitorCommands(program, run);
  addCheckCommands(program, run);
  addDraftCommands(program, run);
  addPageCommands(program, run);
  addProjectCommands(program, run);
  return program;
}
