import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EventsService } from '../../events/events.service.js';
import { DraftRules } from '../../monitors/draft-rules.js';
import type { ReportedStatus } from '../../monitors/monitor-status.js';
import type { Actor } from '../../platform/auth/actor.js';
import { WriteLog } from '../../platform/database/write-log.repository.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { StatusChangeEvents } from '../../reports/status-change-events.js';
import type { StatusChange } from '../../reports/status-changes.js';
import { MAX_MONITORS } from '../dto/affected-monitor.dto.js';
import type { AffectedMonitor } from '../incident-status.js';
import { IncidentTemplatesService } from '../templates/incident-templates.service.js';
import { IncidentDraftsRepository, type ProposedDraft } from './incident-drafts.repository.js';

/** Makes drafts for monitors with a rule when a report changes their status, and discards them when the monitor has recovered. */
@Injectable()
export class ProposedDrafts implements OnModuleInit {
  constructor(
    private readonly repository: IncidentDraftsRepository,
    private readonly rules: DraftRules,
    private readonly statuses: StatusChangeEvents,
    private readonly templates: IncidentTemplatesService,
    private readonly events: EventsService,
    private readonly log: WriteLog,
  ) {}

  onModuleInit(): void {
    this.statuses.onChange(async (actor, project, changes, manager) => {
      const recovered = changes.filter(({ to }) => to === 'operational');
      const failing = changes.filter(isFailing);
      if (recovered.length > 0) await this.discard(actor, project, recovered, manager);
      if (failing.length > 0) await this.propose(actor, project, failing, manager);
    });
  }

  private async discard(
    actor: Actor,
    project: ProjectRef,
    recovered: StatusChange[],
    manager: EntityManager,
  ): Promise<void> {
    const ids = recovered.map(({ monitor_id }) => monitor_id);
    for (const resource_id of await this.repository.discard(project, ids, manager)) {
      const { project_id } = project;
      await this.log.record({ actor, type: 'incident_draft.discarded', project_id, resource_id }, manager);
    }
  }

  private async propose(
    actor: Actor,
    project: ProjectRef,
    failing: FailingMonitor[],
    manager: EntityManager,
  ): Promise<void> {
    const ids = failing.map(({ monitor_id }) => monitor_id);
    const rules = await this.rules.of(project, ids, manager);
    if (rules.length === 0) return;
    const templateIds = new Set(rules.map(({ draft_template_id }) => draft_template_id));
    const templates = await this.templates.valuesOf(project, [...templateIds], manager);
    const statuses = new Map(failing.map(({ monitor_id, to }) => [monitor_id, to]));
    const drafts = rules.flatMap(({ id: monitor_id, draft_template_id }): ProposedDraft[] => {
      const template = templates.get(draft_template_id);
      const status = statuses.get(monitor_id);
      if (!template || !status) return [];
      const { title, body, status: set } = template;
      const monitors = withMonitor(template.monitors, { monitor_id, status });
      return [{ id: uuidv7(), monitor_id, title, body, status: set, monitors }];
    });
    const inserted = await this.repository.insertProposed(project, drafts, manager);
    await this.events.record(
      inserted.map((resource_id) => ({ type: 'incident_draft.created', ...project, resource_id, actor })),
      manager,
    );
  }
}

type FailingMonitor = StatusChange & { to: Exclude<ReportedStatus, 'operational'> };

function isFailing(change: StatusChange): change is FailingMonitor {
  return change.to !== null && change.to !== 'operational';
}

/** Adds a monitor to the monitors of a template, unless it contains the monitor or is full. */
function withMonitor(monitors: AffectedMonitor[], monitor: AffectedMonitor): AffectedMonitor[] {
  const isComplete =
    monitors.length >= MAX_MONITORS || monitors.some(({ monitor_id }) => monitor_id === monitor.monitor_id);
  return isComplete ? monitors : [...monitors, monitor];
}
