import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MonitorsService } from '../monitors/monitors.service.js';
import { type FieldError, validationFailed } from '../platform/problems/problem.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { AffectedMonitor, IncidentStatus } from './incident-status.js';

/** Values of a new incident and of its first update, which a request to create an incident can omit. */
export interface IncidentValues {
  title: string;
  /** null: the standard text of the status */
  body: string | null;
  status: IncidentStatus;
  monitors: AffectedMonitor[];
  /** Whether the incident is meant to affect monitors, even if all of them were deleted. */
  affects_monitors: boolean;
  /** Whether a draft contains the values, not a template. */
  is_draft?: true;
}

/** Returns the values of the project's template, or undefined. */
export type FindTemplate = (
  project: ProjectRef,
  id: string,
  manager: EntityManager,
) => Promise<IncidentValues | undefined>;

// Without a template, the DTO requires a title.
const DEFAULTS: IncidentValues = {
  title: '',
  body: null,
  status: 'investigating',
  monitors: [],
  affects_monitors: false,
};

const UNKNOWN_TEMPLATE: FieldError = {
  code: 'unknown_incident_template',
  detail: 'is not an incident template of the project',
  pointer: '#/template_id',
};

const noMonitorsLeft = ({ is_draft }: IncidentValues): FieldError => ({
  code: 'unknown_monitor',
  detail: `all monitors of the ${is_draft ? 'draft' : 'template'} were deleted; also send monitors or status_page_ids`,
  pointer: is_draft ? '#/monitors' : '#/template_id',
});

/** Provides the values that the creation of an incident omits, from a template or the defaults. */
@Injectable()
export class PreparedValues {
  private findTemplate: FindTemplate = async () => undefined;

  constructor(private readonly monitors: MonitorsService) {}

  /** Registers the module of templates, which depends on the module of incidents. */
  useTemplates(findTemplate: FindTemplate): void {
    this.findTemplate = findTemplate;
  }

  /**
   * Returns the values of a template, or the defaults.
   * @throws Problem 400 `validation_failed` with `unknown_incident_template`
   */
  async find(
    project: ProjectRef,
    template_id: string | undefined,
    manager: EntityManager,
  ): Promise<IncidentValues> {
    if (template_id === undefined) return DEFAULTS;
    const template = await this.findTemplate(project, template_id, manager);
    if (!template) throw validationFailed([UNKNOWN_TEMPLATE]);
    return template;
  }

  /**
   * Returns the prepared monitors that still exist, and locks them.
   * @param hasPages whether the request lists the status pages that show the incident
   * @throws Problem 400 `validation_failed` with `unknown_monitor` if all were deleted and the request lists no status
   * pages. Otherwise, every status page of the project would show the incident.
   */
  async lockMonitors(
    project: ProjectRef,
    values: IncidentValues,
    hasPages: boolean,
    manager: EntityManager,
  ): Promise<AffectedMonitor[]> {
    const { monitors, affects_monitors } = values;
    const ids = monitors.map(({ monitor_id }) => monitor_id);
    const existing = await this.monitors.lockExisting(project, ids, manager);
    const left = monitors.filter(({ monitor_id }) => existing.has(monitor_id));
    if (affects_monitors && left.length === 0 && !hasPages) throw validationFailed([noMonitorsLeft(values)]);
    return left;
  }
}
