import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../platform/auth/actor.js';
import {
  DEADLOCK,
  FOREIGN_KEY_VIOLATION,
  isSqlState,
  UNIQUE_VIOLATION,
} from '../platform/database/statements.js';
import { MAX_TRIES } from '../platform/database/unique-writes.js';
import { type FieldError, validationFailed } from '../platform/problems/problem.js';
import { taken } from '../platform/problems/taken.js';
import { numberDuplicates } from '../platform/validation/slug.js';
import { throwIfProjectIsMissing } from '../projects/missing-project.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { Monitor } from './monitor.entity.js';
import { MonitorsRepository } from './monitors.repository.js';

export type NewMonitor = Pick<Monitor, 'name'> &
  Partial<Pick<Monitor, 'id' | 'key' | 'description' | 'stale_after_seconds' | 'draft_template_id'>>;

const UNKNOWN_TEMPLATE: FieldError = {
  code: 'unknown_incident_template',
  detail: 'is not an incident template of the project',
  pointer: '#/draft_template_id',
};

/** Creates monitors in existing projects. */
@Injectable()
export class MonitorCreation {
  constructor(
    private readonly repository: MonitorsRepository,
    private readonly projects: ProjectsService,
  ) {}

  /** Creates a monitor, like {@link createIn}. */
  async create(
    actor: Actor,
    project_id: string,
    fields: NewMonitor,
    manager: EntityManager,
  ): Promise<Monitor> {
    const [monitor] = await this.createIn(actor, project_id, [fields], manager);
    if (!monitor) throw new Error('an insert returned no monitor');
    return monitor;
  }

  /**
   * Creates monitors, and returns them in the same order. The log contains a single one; the caller records several, such as an import.
   * @throws Problem 404 `not_found` if the actor cannot access the project, or if it was deleted; 409 `conflict` if another monitor has one of the keys
   */
  async createIn(
    actor: Actor,
    project_id: string,
    newMonitors: NewMonitor[],
    manager: EntityManager,
  ): Promise<Monitor[]> {
    const project = this.projects.projectRef(actor, project_id);
    const monitors = newMonitors.map((fields) => newMonitor(project, fields));
    const [monitor, ...others] = monitors;
    const inserted =
      monitor && others.length === 0
        ? this.repository.insertOwn(actor, monitor, manager)
        : this.repository.insertAll(monitors, manager);
    await inserted.catch(throwIfTemplateIsUnknown).catch((error: unknown) => {
      throwIfKeyIsTaken(error);
      return throwIfProjectIsMissing(error);
    });
    return monitors;
  }

  /**
   * Sets keys of monitors that the transaction of `manager` has created. If a key is used in the project, or twice in the list,
   * the later monitor gets the key with a number: `api-2`. Call it last, because it locks the project until the transaction ends.
   * Two calls would otherwise choose the same numbers.
   * @throws Problem 409 `conflict` if concurrent requests keep using the free keys
   */
  async setFreeKeys(
    project: ProjectRef,
    wanted: { id: string; key: string }[],
    manager: EntityManager,
  ): Promise<void> {
    if (wanted.length === 0) return;
    await this.projects.lock(project, manager);
    for (let tries = 1; ; tries++) {
      try {
        // A savepoint, because a failed update would otherwise end the transaction of `manager`.
        return await manager.transaction(async (own) => {
          const keys = wanted.map(({ key }) => key);
          const used = await this.repository.findUsedKeys(project, keys, own);
          const ids = wanted.map(({ id }) => id);
          await this.repository.setKeys(project, ids, numberDuplicates(keys, { used }), own);
        });
      } catch (error) {
        // A concurrent request took one of the keys.
        const isRetried = isSqlState(error, DEADLOCK) || isSqlState(error, UNIQUE_VIOLATION);
        if (!isRetried) throw error;
        if (tries < MAX_TRIES) continue;
        throwIfKeyIsTaken(error);
        throw error;
      }
    }
  }
}

/** @throws Problem 409 `conflict` for a violation of `monitors_key_idx` */
export function throwIfKeyIsTaken(error: unknown): void {
  if (!isSqlState(error, UNIQUE_VIOLATION, /^monitors_key_idx$/)) return;
  throw taken(['key'], 'Another monitor of the project already uses this key');
}

/** @throws Problem 400 `validation_failed` for a violation of `monitors_draft_template_id_project_fkey`; otherwise the error */
export function throwIfTemplateIsUnknown(error: unknown): never {
  if (isSqlState(error, FOREIGN_KEY_VIOLATION, /^monitors_draft_template_id_project_fkey$/))
    throw validationFailed([UNKNOWN_TEMPLATE]);
  throw error;
}

function newMonitor(
  { organization_id, project_id }: ProjectRef,
  { id = uuidv7(), name, key = null, description = '', ...rules }: NewMonitor,
): Monitor {
  const now = new Date();
  // In the order of the response.
  return {
    id,
    name,
    key,
    description,
    stale_after_seconds: rules.stale_after_seconds ?? null,
    draft_template_id: rules.draft_template_id ?? null,
    project_id,
    created_at: now,
    updated_at: now,
    organization_id,
  };
}
