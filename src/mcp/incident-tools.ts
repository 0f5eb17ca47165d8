import { Injectable } from '@nestjs/common';
import { CreateIncidentDto } from '../incidents/dto/create-incident.dto.js';
import { IncidentUpdateDto } from '../incidents/dto/incident-update.dto.js';
import { ListIncidentsQuery } from '../incidents/dto/list-incidents.query.js';
import { IncidentListsService } from '../incidents/incident-lists.service.js';
import { IncidentUpdatesService } from '../incidents/incident-updates.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { IncidentTemplateDto } from '../incidents/templates/dto/incident-template.dto.js';
import { ListIncidentTemplatesQuery } from '../incidents/templates/dto/list-incident-templates.query.js';
import { IncidentTemplatesService } from '../incidents/templates/incident-templates.service.js';
import { CreateMaintenanceDto } from '../maintenances/dto/create-maintenance.dto.js';
import { ListMaintenancesQuery } from '../maintenances/dto/list-maintenances.query.js';
import { MaintenanceDto } from '../maintenances/dto/maintenance.dto.js';
import { MaintenanceListsService } from '../maintenances/maintenance-lists.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import {
  ResolveIncidentArguments,
  UpdateIncidentArguments,
  UpdateMaintenanceArguments,
} from './dto/inputs.js';
import { McpIncident, McpNewIncident } from './dto/outputs.js';
import type { Actor } from '../platform/auth/actor.js';
import { plainDataOf } from '../platform/database/raw-json.js';
import { Problem } from '../platform/problems/problem.js';
import { PUBLISHES, READS, REPLACES, tool, type Tool } from './tool.js';

const MAILS =
  'Unless `notify` is false, every subscriber of these pages gets an email, which cannot be recalled; `dry_run: true` counts them without publishing.';

/** Tools for incidents and maintenance windows. */
@Injectable()
export class IncidentTools {
  readonly tools: Tool[];

  constructor(
    incidents: IncidentsService,
    incidentLists: IncidentListsService,
    updates: IncidentUpdatesService,
    templates: IncidentTemplatesService,
    maintenances: MaintenancesService,
    maintenanceLists: MaintenanceListsService,
  ) {
    this.tools = [
      tool({
        name: 'list_incidents',
        title: 'List incidents',
        description:
          'Lists the incidents of a project, newest first: all, or with `open: true` only those in progress. Without postmortems.',
        scope: 'incidents:read',
        annotations: READS,
        input: ListIncidentsQuery,
        output: McpIncident,
        isList: true,
        run: (actor, query) => incidentLists.list(actor, query),
      }),
      tool({
        name: 'open_incident',
        title: 'Open an incident',
        description: `Publishes a new incident on the status pages that show its monitors. ${MAILS} With \`template_id\`, a template provides omitted fields.`,
        scope: 'incidents:write',
        annotations: PUBLISHES,
        input: CreateIncidentDto,
        output: McpNewIncident,
        run: async (actor, input) => {
          const incident = await incidents.create(actor, input);
          return { data: { ...incident, body: await bodyOf(updates, actor, incident.id) } };
        },
      }),
      tool({
        name: 'update_incident',
        title: 'Post an update to an incident',
        description: `Publishes an update of an incident: a text, a new status, or new statuses of its monitors. ${MAILS}`,
        scope: 'incidents:write',
        annotations: PUBLISHES,
        input: UpdateIncidentArguments,
        output: IncidentUpdateDto,
        run: async (actor, { incident_id, ...update }) => ({
          data: await updates.create(actor, incident_id, update, undefined),
        }),
      }),
      tool({
        name: 'resolve_incident',
        title: 'Resolve an incident',
        description: `Publishes the update that resolves an incident. Its monitors get their reported statuses again. ${MAILS} It fails for a resolved incident, so that a repeated call sends no email.`,
        scope: 'incidents:write',
        annotations: PUBLISHES,
        input: ResolveIncidentArguments,
        output: IncidentUpdateDto,
        run: async (actor, { incident_id, ...update }) => {
          const incident = plainDataOf({ data: await incidents.get(actor, incident_id) });
          if (Object(incident).status === 'resolved') throw new Problem('conflict', ALREADY_RESOLVED);
          return {
            data: await updates.create(actor, incident_id, { ...update, status: 'resolved' }, undefined),
          };
        },
      }),
      tool({
        name: 'list_incident_templates',
        title: 'List incident templates',
        description: 'Lists prepared texts of incidents of a project, newest first.',
        scope: 'incidents:read',
        annotations: READS,
        input: ListIncidentTemplatesQuery,
        output: IncidentTemplateDto,
        isList: true,
        run: (actor, query) => templates.list(actor, query),
      }),
      tool({
        name: 'list_maintenances',
        title: 'List maintenance windows',
        description: 'Lists the maintenance windows of a project, newest first.',
        scope: 'maintenances:read',
        annotations: READS,
        input: ListMaintenancesQuery,
        output: MaintenanceDto,
        isList: true,
        run: (actor, query) => maintenanceLists.list(actor, query),
      }),
      tool({
        name: 'schedule_maintenance',
        title: 'Schedule a maintenance window',
        description: `Publishes a planned maintenance window on the status pages that show its monitors. ${MAILS} It starts and ends by itself.`,
        scope: 'maintenances:write',
        annotations: PUBLISHES,
        input: CreateMaintenanceDto,
        output: MaintenanceDto,
        run: async (actor, input) => ({ data: await maintenances.create(actor, input) }),
      }),
      tool({
        name: 'update_maintenance',
        title: 'Change a maintenance window',
        description: `Moves a maintenance window, changes its texts, or ends or cancels it by \`status\`. Omitted fields keep their values. ${MAILS}`,
        scope: 'maintenances:write',
        annotations: REPLACES,
        input: UpdateMaintenanceArguments,
        output: MaintenanceDto,
        read: (actor, { maintenance_id }) => maintenances.get(actor, maintenance_id),
        run: async (actor, { maintenance_id, ...patch }) => ({
          data: await maintenances.update(actor, maintenance_id, patch, undefined),
        }),
      }),
    ];
  }
}

const ALREADY_RESOLVED = {
  detail: 'The incident is already resolved. To add a text, call update_incident.',
};

/** Returns the text of an incident's latest update. */
async function bodyOf(updates: IncidentUpdatesService, actor: Actor, incidentId: string): Promise<unknown> {
  const { data } = await updates.list(actor, incidentId, { limit: 1 });
  const [latest]: unknown[] = Object(plainDataOf({ data }));
  return Object(latest).body;
}
