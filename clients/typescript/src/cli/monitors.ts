import { type Command, Option } from 'commander';
import {
  collect,
  isUuid,
  type MonitorWithStatus,
  parseDuration,
  parseMonitorWithStatus,
  parseSince,
  parseTime,
} from './arguments.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';
import { record, time } from './text.js';

interface AddOptions {
  key?: string;
  description?: string;
  staleAfter?: number;
  since?: string;
  draftTemplate?: string;
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
    .option('--draft-template <template>', 'name or ID of the incident template from which drafts are made')
    .addOption(
      new Option('--since <time>', 'day or time since which the monitor is operational (default: now)')
        .conflicts('staleAfter')
        .argParser(parseSince),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages monitor add "Public API" --key api --stale-after 5m\n  status-pages monitor add "Checkout" --key checkout --since 2026-01-01',
    )
    .action(
      (name: string, { key, description, staleAfter, since, draftTemplate }: AddOptions, command: Command) =>
        run(command, async (session) => {
          const monitor = await session.client.monitors.create({
            project_id: await session.projectId(),
            name,
            ...(key !== undefined && { key }),
            ...(description !== undefined && { description }),
            ...(draftTemplate !== undefined && {
              draft_template_id: await session.templateId(draftTemplate),
            }),
            ...(staleAfter !== undefined && { stale_after_seconds: staleAfter / 1000 }),
          });
          const { id, project_id } = monitor;
          if (since !== undefined && !session.isDryRun)
            await session.client.monitorReports.create({
              project_id,
              reports: [{ monitor_id: id, status: 'operational', observed_at: since }],
            });
          return {
            json: monitor,
            text: record({
              id,
              key: monitor.key ?? '-',
              name: monitor.name,
              'operational since': since && time(since),
            }),
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
