import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Problem } from '../platform/problems/problem.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { type DraftRule, MonitorsRepository } from './monitors.repository.js';

/** Thrown if a template is needed: a monitor makes drafts from it. */
export class TemplateInUse extends Problem {
  constructor(readonly monitor_id: string) {
    super('conflict', {
      detail: `Monitor ${monitor_id} makes drafts from this template. Set draft_template_id of the monitor to null first.`,
    });
  }
}

/** Rules of monitors: the incident templates from which drafts are made when their status changes. */
@Injectable()
export class DraftRules {
  constructor(private readonly repository: MonitorsRepository) {}

  /** Returns the rules of some monitors, and locks these monitors against deletion. Leaves out monitors that are being deleted. */
  async of(project: ProjectRef, monitorIds: string[], manager: EntityManager): Promise<DraftRule[]> {
    return this.repository.findDraftRules(project, monitorIds, manager);
  }

  /**
   * Locks a monitor with a rule that uses a template.
   * @throws TemplateInUse, 409 `conflict`, if there is one
   */
  async requireUnused(project: ProjectRef, templateId: string, manager: EntityManager): Promise<void> {
    const id = await this.repository.findMonitorOfTemplate(project, templateId, manager);
    if (id !== undefined) throw new TemplateInUse(id);
  }
}
