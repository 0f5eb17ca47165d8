import { type Command, Option } from 'commander';
import type { Maintenance } from '../index.js';
import { collect, parseDuration, parseTime } from './arguments.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Result, Run } from './result.js';
import { requireId, type Session } from './session.js';
import { record, time } from './text.js';

interface ScheduleOptions {
  start: string;
  end?: string;
  for?: number;
  monitor?: string[];
  page?: string[];
  body?: string;
}

const ID = ['<id>', 'ID of the maintenance window'] as const;

/** Adds the `maintenance` commands. */
export function addMaintenanceCommands(program: Command, run: Run): void {
  const maintenances = program
    .command('maintenance')
    .description('schedule, update, end, cancel and list maintenance windows');
  maintenances
    .command('schedule')
    .description('schedule a maintenance window')
    .argument('<title>', 'title that visitors see')
    .requiredOption(
      '--start <time>',
      'start, such as 2026-11-20T02:00Z or 2026-11-20T03:00+01:00, or "now"',
      parseTime,
    )
    .option('--end <time>', 'end', parseTime)
    .addOption(
      new Option('--for <duration>', 'duration, such as 2h, 90m or 1d12h')
        .conflicts('end')
        .argParser(parseDuration),
    )
    .option('--monitor <key>', 'key or ID of a monitor under maintenance (repeatable)', collect(String))
    .option(
      '--page <slug>',
      'slug or ID of a status page that shows the window (repeatable; default: pages with one of the monitors, or all pages without --monitor)',
      collect(String),
    )
    .option('--body <markdown>', 'description')
    .addHelpText(
      'after',
      '\nExample:\n  status-pages maintenance schedule "Database upgrade" --start 2026-11-20T02:00Z --for 2h --monitor db --page acme',
    )
    .action((title: string, options: ScheduleOptions, command: Command) => {
      const { start, monitor, page, body } = options;
      const ends_at = options.end ?? endOf(start, options.for);
      if (ends_at === undefined) return command.error('error: Pass --end or --for.');
      return run(command, async (session) => {
        const maintenance = await session.client.maintenances.create({
          project_id: await session.projectId(),
          title,
          starts_at: start,
          ends_at,
          ...(body !== undefined && { body }),
          ...(monitor && { monitor_ids: await session.monitorIds(monitor) }),
          ...(page && { status_page_ids: await session.pageIds(page) }),
        });
        return shown(maintenance, session);
      });
    });
  maintenances
    .command('update')
    .description('post an update to a maintenance window')
    .argument(...ID)
    .requiredOption('--body <markdown>', 'text of the update')
    .action((id: string, { body }: { body: string }, command: Command) =>
      run(command, async ({ client }) => {
        const maintenance = requireId(id, 'a maintenance window');
        const update = await client.maintenances.updates(maintenance).create({ body });
        return {
          json: update,
          text: record({ maintenance, posted: time(update.posted_at), body: update.body }),
        };
      }),
    );
  for (const [name, status, description] of [
    ['end', 'completed', 'end a maintenance window now'],
    ['cancel', 'cancelled', 'cancel a maintenance window'],
  ] as const)
    maintenances
      .command(name)
      .description(description)
      .argument(...ID)
      .action((id: string, _options: object, command: Command) =>
        run(command, async (session) => {
          const { maintenances: resource } = session.client;
          return shown(await resource.update(requireId(id, 'a maintenance window'), { status }), session);
        }),
      );
  addListCommand(maintenances, 'list the maintenance windows of the project, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.projectId();
        return listed(
          (limit) => session.client.maintenances.list({ project_id, limit }),
          options,
          {
            ID: ({ id }) => id,
            STATUS: ({ status }) => status,
            START: ({ starts_at }) => time(starts_at),
            END: ({ ends_at }) => time(ends_at),
            TITLE: ({ title }) => title,
          },
          'The project has no maintenance windows.',
        );
      }),
  );
}

/** Returns the end of a window; the start if its numbers are out of range, which the service then rejects. */
function endOf(start: string, duration: number | undefined): string | undefined {
  if (duration === undefined) return undefined;
  const end = new Date(Date.parse(start) + duration);
  return Number.isNaN(end.getTime()) ? start : end.toISOString();
}

function shown(maintenance: Maintenance, session: Session): Result {
  const { id, title, status, starts_at, ends_at, monitor_ids, status_page_ids } = maintenance;
  const text = record({
    id,
    title,
    status,
    start: time(starts_at),
    end: time(ends_at),
    monitors: monitor_ids.map((monitor) => session.nameOf(monitor)).join(', ') || 'none',
    pages: status_page_ids?.map((page) => session.nameOf(page)).join(', '),
  });
  return { json: maintenance, text };
}
