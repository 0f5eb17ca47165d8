import { type Command, Option } from 'commander';
import type { Check } from '../index.js';
import { integer, parseDuration } from './arguments.js';
import { CommandError, EXIT } from './errors.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';
import { type Session, take } from './session.js';
import { record, time } from './text.js';

const TYPES = ['http', 'tcp', 'dns', 'tls'] as const;
const STATUSES = ['degraded_performance', 'partial_outage', 'major_outage'] as const;

interface AddOptions {
  type: (typeof TYPES)[number];
  every?: number;
  contains?: string;
  failures?: number;
  onFailure?: (typeof STATUSES)[number];
}

/** Adds the `check` commands. */
export function addCheckCommands(program: Command, run: Run): void {
  const checks = program.command('check').description('let the service watch systems by itself');
  checks
    .command('add')
    .description('create the check of a monitor')
    .argument('<monitor>', 'key or ID of the monitor')
    .argument('<target>', 'URL; host and port, such as db.example.com:5432, for tcp and tls; name for dns')
    .addOption(new Option('--type <type>', 'kind of check').choices(TYPES).default('http'))
    .option('--every <duration>', 'time between two runs (default: 1m)', parseDuration)
    .option('--contains <text>', 'text that the response must contain, for http')
    .option('--failures <number>', 'failures in a row that change the status', integer(1, 10))
    .addOption(
      new Option('--on-failure <status>', 'status of the monitor while the check fails').choices(STATUSES),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages check add web https://www.example.com/ --contains "Sign in"\n  status-pages check add db db.example.com:5432 --type tcp --every 5m',
    )
    .action((monitor: string, target: string, options: AddOptions, command: Command) =>
      run(command, async (session) => {
        const { type, every, contains, failures, onFailure } = options;
        const check = await session.client.checks.create({
          project_id: await session.projectId(),
          monitor_id: await session.monitorId(monitor),
          type,
          target,
          ...(every !== undefined && { interval_seconds: every / 1000 }),
          ...(contains !== undefined && { body_contains: contains }),
          ...(failures !== undefined && { failures }),
          ...(onFailure !== undefined && { status_on_failure: onFailure }),
        });
        return { json: check, text: record({ id: check.id, type, target }) };
      }),
    );
  checks
    .command('run')
    .description('run the check of a monitor now, and print its result')
    .argument('<monitor>', 'key or ID of the monitor')
    .action((monitor: string, _options: object, command: Command) =>
      run(command, async (session) => {
        const result = await session.client.checks.run((await checkOf(session, monitor)).id);
        const phases = {
          dns: result.dns_ms,
          connect: result.connect_ms,
          tls: result.tls_ms,
          'first byte': result.first_byte_ms,
          total: result.duration_ms,
        };
        const times = Object.entries(phases).map(([name, ms]) => [
          name,
          ms === null ? undefined : `${ms} ms`,
        ]);
        return {
          json: result,
          text: record({
            result: result.error ?? 'ok',
            status: result.status_code === null ? undefined : String(result.status_code),
            ...Object.fromEntries(times),
            'certificate ends':
              result.certificate_expires_at === null ? undefined : time(result.certificate_expires_at),
          }),
        };
      }),
    );
  checks
    .command('remove')
    .description('delete the check of a monitor')
    .argument('<monitor>', 'key or ID of the monitor')
    .action((monitor: string, _options: object, command: Command) =>
      run(command, async (session) => {
        const { id, target } = await checkOf(session, monitor);
        await session.client.checks.delete(id);
        return { json: { id }, text: record({ deleted: target }) };
      }),
    );
  addListCommand(checks, 'list the checks of the project, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.projectId();
        return listed(
          (limit) => session.client.checks.list({ project_id, limit }),
          options,
          {
            TYPE: ({ type }) => type,
            TARGET: ({ target }) => target,
            RUNS: ({ enabled, interval_seconds }) => (enabled ? `every ${interval_seconds} s` : 'no'),
            MONITOR: ({ monitor_id }) => monitor_id,
          },
          'The project has no checks.',
        );
      }),
  );
}

/** Returns the check of a monitor with this key or ID. */
async function checkOf(session: Session, monitor: string): Promise<Check> {
  const monitor_id = await session.monitorId(monitor);
  const project_id = await session.projectId();
  const [check] = await take(1, session.client.checks.list({ project_id, monitor_id }));
  if (!check) throw new CommandError(`Monitor "${monitor}" has no check.`, EXIT.rejected);
  return check;
}
