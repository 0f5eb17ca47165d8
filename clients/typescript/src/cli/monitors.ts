import type { Command } from 'commander';
import {
  collect,
  isUuid,
  type MonitorWithStatus,
  parseDuration,
  parseMonitorWithStatus,
  parseTime,
} from './arguments.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';
import { record } from './text.js';

interface AddOptions {
  key?: string;
  description?: string;
  staleAfter?: number;
}

/** Adds the `monitor` and `report` commands. */
export function addMonitorCommands(program: Command, run: Run): void {
  const monitors = program.command('monitor').description('add and list monitors');
  monitors
    .command('add')
    .description('create a monitor')
    .argument('<name>', 'name that visitors see')
    .option('--key <key>', 'short name for reports and other commands, such as "api"')
    .option('--description <text>', 'description')
    .option(
      '--stale-after <duration>',
      'time without reports after which the status is unknown',
      parseDuration,
    )
    .addHelpText('after', '\nExample:\n  status-pages monitor add "Public API" --key api --stale-after 5m')
    .action((name: string, { key, description, staleAfter }: AddOptions, command: Command) =>
      run(command, async (session) => {
        const monitor = await session.client.monitors.create({
          project_id: await session.projectId(),
          name,
          ...(key !== undefined && { key }),
          ...(description !== undefined && { description }),
          ...(staleAfter !== undefined && { stale_after_seconds: staleAfter / 1000 }),
        });
        return {
          json: monitor,
          text: record({ id: monitor.id, key: monitor.key ?? '-', name: monitor.name }),
        };
      }),
    );
  addListCommand(monitors, 'list the monitors of the project, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.projectId();
        return listed(
          (limit) => session.client.monitors.list({ project_id, limit }),
          options,
          { KEY: ({ key }) => key ?? '-', NAME: ({ name }) => name, ID: ({ id }) => id },
          'The project has no monitors.',
        );
      }),
  );

  program
    .command('report')
    .description('report the status of monitors')
    .argument(
      '<monitor=status...>',
      'key or ID of a monitor, and operational, degraded_performance, partial_outage or major_outage',
      collect(parseMonitorWithStatus),
    )
    .option('--at <time>', 'time of the observation (default: now)', parseTime)
    .addHelpText('after', '\nExample:\n  status-pages report api=major_outage web=operational')
    .action((reports: MonitorWithStatus[], { at }: { at?: string }, command: Command) =>
      run(command, async (session) => {
        const result = await session.client.monitorReports.create({
          project_id: await session.projectId(),
          reports: reports.map(({ monitor, status }) => ({
            ...(isUuid(monitor) ? { monitor_id: monitor } : { monitor_key: monitor }),
            status,
            ...(at !== undefined && { observed_at: at }),
          })),
        });
        const counts = { reports: String(result.reports), 'changed statuses': String(result.changed) };
        return { json: result, text: record(counts) };
      }),
    );
}
