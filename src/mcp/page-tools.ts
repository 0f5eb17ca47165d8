import { Injectable } from '@nestjs/common';
import { EventDto, ListEventsQuery } from '../events/dto/event.dto.js';
import { EventsService } from '../events/events.service.js';
import { ListMonitorsQuery } from '../monitors/dto/list-monitors.query.js';
import { MonitorDto } from '../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { ListQuery } from '../platform/pagination/list-page.js';
import { ProjectDto } from '../projects/dto/project.dto.js';
import { ProjectsService } from '../projects/projects.service.js';
import { CreateMonitorReportsDto } from '../reports/dto/create-monitor-reports.dto.js';
import { ReportsResultDto } from '../reports/dto/reports-result.dto.js';
import { ReportsService } from '../reports/reports.service.js';
import { ListStatusPagesQuery } from '../status-pages/dto/list-status-pages.query.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { StatusPageSummaryDto } from '../summaries/dto/status-page-summary.dto.js';
import { SummariesService } from '../summaries/summaries.service.js';
import { StatusPageArgument, UpdateStatusPageArguments } from './dto/inputs.js';
import { McpStatusPage } from './dto/outputs.js';
import { PUBLISHES, READS, REPLACES, tool, type Tool } from './tool.js';

/** Tools for status pages, monitors and events. */
@Injectable()
export class PageTools {
  readonly tools: Tool[];

  constructor(
    summaries: SummariesService,
    projects: ProjectsService,
    pages: StatusPagesService,
    monitors: MonitorsService,
    reports: ReportsService,
    events: EventsService,
  ) {
    this.tools = [
      tool({
        name: 'get_status',
        title: 'Get the current status of a page',
        description:
          'Returns what visitors of a status page see now: the headline, the number of monitors in each status, the monitors of each section that are not operational, open incidents with their latest update, and maintenance windows of the next 30 days.',
        scope: 'status_pages:read',
        annotations: READS,
        input: StatusPageArgument,
        output: StatusPageSummaryDto,
        run: async (actor, { status_page_id }) => ({
          data: withoutOperational(await summaries.get(actor, status_page_id)),
        }),
      }),
      tool({
        name: 'list_projects',
        title: 'List projects',
        description:
          'Lists the projects that the API key can access. Other tools require the ID of a project.',
        scope: 'projects:read',
        annotations: READS,
        input: ListQuery,
        output: ProjectDto,
        isList: true,
        run: (actor, query) => projects.list(actor, query),
      }),
      tool({
        name: 'list_status_pages',
        title: 'List status pages',
        description: 'Lists the status pages of a project, newest first, without their sections.',
        scope: 'status_pages:read',
        annotations: READS,
        input: ListStatusPagesQuery,
        output: McpStatusPage,
        isList: true,
        run: (actor, query) => pages.list(actor, query),
      }),
      tool({
        name: 'update_status_page',
        title: 'Change a status page',
        description:
          'Changes the name, the visibility or the accent color of a status page. Omitted fields keep their values. Visitors see the change immediately. It sends no email. `is_public: true` publishes the page.',
        scope: 'status_pages:write',
        annotations: REPLACES,
        input: UpdateStatusPageArguments,
        output: McpStatusPage,
        read: (actor, { status_page_id }) => pages.get(actor, status_page_id),
        run: async (actor, { status_page_id, ...patch }) => ({
          data: await pages.update(actor, status_page_id, patch, undefined),
        }),
      }),
      tool({
        name: 'list_monitors',
        title: 'List monitors',
        description:
          'Lists the monitors of a project, newest first. get_status returns their current statuses.',
        scope: 'monitors:read',
        annotations: READS,
        input: ListMonitorsQuery,
        output: MonitorDto,
        isList: true,
        run: (actor, query) => monitors.list(actor, query),
      }),
      tool({
        name: 'report_monitor_statuses',
        title: 'Report statuses of monitors',
        description:
          'Stores the statuses of monitors at a time, by default now. The statuses appear on status pages and count for the uptime. Webhooks receive changes of a status. It sends no email; use open_incident to inform subscribers.',
        scope: 'monitor_reports:write',
        annotations: PUBLISHES,
        input: CreateMonitorReportsDto,
        output: ReportsResultDto,
        run: async (actor, input) => ({ data: await reports.create(actor, input) }),
      }),
      tool({
        name: 'list_events',
        title: 'List events',
        description:
          'Lists what happened, newest first: changes of incidents, maintenance windows, status pages, webhook endpoints, and of the statuses of monitors. Each event contains its actor. Filters select a project, an actor, a resource, a type and a time range.',
        scope: 'events:read',
        annotations: READS,
        input: ListEventsQuery,
        output: EventDto,
        isList: true,
        run: (actor, query) => events.list(actor, query),
      }),
    ];
  }
}

/** Leaves out operational monitors, which `counts` contains, so that a page of many monitors has a short result. */
function withoutOperational(summary: StatusPageSummaryDto): StatusPageSummaryDto {
  const sections = summary.sections.map((section) => ({
    ...section,
    monitors: section.monitors.filter(({ status }) => status !== 'operational'),
  }));
  return { ...summary, sections };
}
