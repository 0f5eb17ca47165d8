import type { Command } from 'commander';
import {
  INCIDENT_STATUSES,
  type AffectedMonitor,
  type IncidentStatus,
} from '../incidents/incident-status.js';
import { IncidentUpdatesService } from '../incidents/incident-updates.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { REPORTED_STATUSES, type ReportedStatus } from '../monitors/monitor-status.js';
import { ReportsService } from '../reports/reports.service.js';
import { collectAffected, parseObservedAt, parseUuid, text, wordOf } from './options.js';
import type { RunCommand } from './program.js';
import { requireIncident, requireMonitor, requireProject } from './require.js';

const MAX_BODY = 10_000; // code points

interface IncidentOptions {
  status?: IncidentStatus;
  body?: string;
  monitor?: AffectedMonitor[];
}

/** Adds the `report` and `incident` commands. */
export function addStatusCommands(program: Command, run: RunCommand): void {
  program
    .command('report')
    .description('report the status of a monitor')
    .argument('<monitor>', 'ID of the monitor', parseUuid)
    .argument('<status>', `one of ${REPORTED_STATUSES.join(', ')}`, wordOf(REPORTED_STATUSES))
    .option('--at <time>', 'observation time, such as 2026-11-20T12:00:00Z (default: now)', parseObservedAt)
    .action((monitor_id: string, status: ReportedStatus, { at: observed_at = new Date() }: { at?: Date }) =>
      run(async (app) => {
        const project = await requireMonitor(app, monitor_id);
        return app.get(ReportsService).record(project, [{ monitor_id, status, observed_at }]);
      }),
    );

  const incidents = program.command('incident').description('open, update and resolve incidents');
  addIncidentOptions(incidents.command('open').description('open an incident with its first update'))
    .requiredOption('--project <id>', 'project of the incident', parseUuid)
    .requiredOption('--title <title>', 'title, 1 to 200 characters', text(200))
    .option('--status <status>', STATUS, wordOf(INCIDENT_STATUSES), 'investigating')
    .action((options: IncidentOptions & { project: string; title: string }) =>
      run(async (app) => {
        const { project: project_id, title, body, status, monitor: monitors } = options;
        const { organization_id } = await requireProject(app, project_id);
        const access = { organization_id, project_ids: null };
        const incident = {
          project_id,
          title,
          ...(body !== undefined && { body }),
          ...(status && { status }),
          ...(monitors && { monitors }),
        };
        return app.get(IncidentsService).create(access, incident);
      }),
    );
  addIncidentOptions(incidents.command('update').description('post an update to an incident'))
    .argument('<incident>', 'ID of the incident', parseUuid)
    .option('--status <status>', `${STATUS} (default: unchanged)`, wordOf(INCIDENT_STATUSES))
    .action((id: string, options: IncidentOptions) => addUpdate(run, id, options));
  incidents
    .command('resolve')
    .description('resolve an incident by posting an update with the status resolved')
    .argument('<incident>', 'ID of the incident', parseUuid)
    .option('--body <markdown>', BODY, text(MAX_BODY))
    .action((id: string, { body }: { body?: string }) =>
      addUpdate(run, id, { status: 'resolved', ...(body !== undefined && { body }) }),
    );
}

const STATUS = `one of ${INCIDENT_STATUSES.join(', ')}`;
const BODY = `text of the update in Markdown, 1 to ${MAX_BODY} characters (default: a sentence about a new status)`;

function addIncidentOptions(command: Command): Command {
  return command
    .option('--body <markdown>', BODY, text(MAX_BODY))
    .option(
      '--monitor <id=status>',
      `affected monitor (repeatable); status is one of ${REPORTED_STATUSES.join(', ')}`,
      collectAffected,
    );
}

async function addUpdate(
  run: RunCommand,
  id: string,
  { status, body, monitor: monitors }: IncidentOptions,
): Promise<void> {
  return run(async (app) => {
    const { organization_id } = await requireIncident(app, id);
    const access = { organization_id, project_ids: null };
    const update = {
      ...(status && { status }),
      ...(body !== undefined && { body }),
      ...(monitors && { monitors }),
    };
    return app.get(IncidentUpdatesService).create(access, id, update, undefined);
  });
}
