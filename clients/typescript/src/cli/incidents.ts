import type { Command } from 'commander';
import type { AffectedMonitor, Incident } from '../index.js';
import {
  collect,
  type Impact,
  IMPACTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  type MonitorWithStatus,
  parseMonitorWithStatus,
  wordOf,
} from './arguments.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import { addPostmortemCommand } from './postmortem.js';
import type { Result, Run } from './result.js';
import { requireId, type Session } from './session.js';
import { record, time } from './text.js';

interface UpdateOptions {
  status?: IncidentStatus;
  body?: string;
  monitor?: MonitorWithStatus[];
}

interface OpenOptions extends UpdateOptions {
  template?: string;
  impact?: Impact;
  page?: string[];
}

const ID = ['[id]', 'ID of the incident (default: the only open incident of the project)'] as const;
const BODY = ['--body <markdown>', 'text of the update (default: a sentence about a new status)'] as const;

/** Adds the `incident` commands. */
export function addIncidentCommands(program: Command, run: Run): void {
  const incidents = program.command('incident').description('open, update, resolve and list incidents');
  addUpdateOptions(incidents.command('open').description('open an incident'))
    .argument('[title]', 'title that visitors see; required without --template')
    .option('--template <name or id>', 'incident template, for everything that the command line omits')
    .option(
      '--page <slug>',
      'slug or ID of a status page that shows the incident (repeatable; default: pages with an affected monitor, or all pages if no monitor is affected)',
      collect(String),
    )
    .option(
      '--impact <impact>',
      `one of ${IMPACTS.join(', ')} (default: follows from the monitors)`,
      wordOf(IMPACTS),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages incident open "API is slow" --monitor api=degraded_performance --page acme\n  status-pages incident open --template "API outage"',
    )
    .action((title: string | undefined, options: OpenOptions, command: Command) => {
      const { page, impact, template, ...update } = options;
      if (title === undefined && template === undefined)
        return command.error('error: Pass a title or --template.');
      return run(command, async (session) => {
        const incident = await session.client.incidents.create({
          project_id: await session.projectId(),
          ...(title !== undefined && { title }),
          ...(template !== undefined && { template_id: await session.templateId(template) }),
          ...(await updateOf(update, session)),
          ...(impact && { impact }),
          ...(page && { status_page_ids: await session.pageIds(page) }),
        });
        return { json: incident, text: record(rowsOf(incident, session)) };
      });
    });

  addUpdateOptions(incidents.command('update').description('post an update to an incident'))
    .argument(...ID)
    .addHelpText(
      'after',
      '\nExample:\n  status-pages incident update --status identified --body "A node has failed."',
    )
    .action((id: string | undefined, options: UpdateOptions, command: Command) => {
      if (Object.keys(options).length === 0) command.error('error: Pass --status, --body or --monitor.');
      return run(command, async (session) => postUpdate(session, id, options));
    });

  incidents
    .command('resolve')
    .description('resolve an incident')
    .argument(...ID)
    .option(...BODY)
    .addHelpText('after', '\nExample:\n  status-pages incident resolve --body "All requests succeed again."')
    .action((id: string | undefined, options: { body?: string }, command: Command) =>
      run(command, async (session) => postUpdate(session, id, { status: 'resolved', ...options })),
    );

  addPostmortemCommand(incidents, run);

  addListCommand(incidents, 'list the incidents of the project, newest first')
    .option('--open', 'list only open incidents')
    .action(({ open, ...options }: ListOptions & { open?: true }, command: Command) =>
      run(command, async (session) => {
        const query = { project_id: await session.projectId(), ...(open && { open }) };
        return listed(
          (limit) => session.client.incidents.list({ ...query, limit }),
          options,
          {
            ID: ({ id }) => id,
            STATUS: ({ status }) => status,
            IMPACT: ({ impact }) => impact,
            STARTED: ({ started_at }) => time(started_at),
            TITLE: ({ title }) => title,
          },
          open ? 'No incident is open.' : 'The project has no incidents.',
        );
      }),
    );
}

function addUpdateOptions(command: Command): Command {
  return command
    .option('--status <status>', `one of ${INCIDENT_STATUSES.join(', ')}`, wordOf(INCIDENT_STATUSES))
    .option(...BODY)
    .option(
      '--monitor <key=status>',
      'affected monitor with its status, such as api=major_outage (repeatable)',
      collect(parseMonitorWithStatus),
    );
}

async function updateOf({ status, body, monitor }: UpdateOptions, session: Session) {
  return {
    ...(status && { status }),
    ...(body !== undefined && { body }),
    ...(monitor && { monitors: await affectedBy(monitor, session) }),
  };
}

async function affectedBy(monitors: MonitorWithStatus[], session: Session): Promise<AffectedMonitor[]> {
  const ids = await session.monitorIds(monitors.map(({ monitor }) => monitor));
  return monitors.flatMap(({ status }, index) => {
    const monitor_id = ids[index];
    return monitor_id === undefined ? [] : [{ monitor_id, status }];
  });
}

async function postUpdate(session: Session, id: string | undefined, options: UpdateOptions): Promise<Result> {
  const { client } = session;
  const only = id === undefined ? await session.openIncident() : undefined;
  const incidentId = only?.id ?? requireId(id ?? '', 'an incident');
  const update = await client.incidents.updates(incidentId).create(await updateOf(options, session));
  const { status, body, monitors, posted_at } = update;
  const text = record({
    incident: incidentId,
    title: only?.title,
    status,
    monitors: monitors ? affectedText(monitors, session) : undefined,
    posted: time(posted_at),
    body,
  });
  return { json: update, text };
}

function rowsOf(incident: Incident, session: Session): Record<string, string | undefined> {
  const { id, title, status, impact, monitors, status_page_ids, started_at } = incident;
  return {
    id,
    title,
    status,
    impact,
    monitors: affectedText(monitors, session),
    pages: session.pagesText(status_page_ids, monitors.length > 0),
    started: time(started_at),
  };
}

function affectedText(monitors: AffectedMonitor[], session: Session): string {
  return (
    monitors.map(({ monitor_id, status }) => `${session.nameOf(monitor_id)}=${status}`).join(', ') || 'none'
  );
}
