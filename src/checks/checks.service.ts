import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { MonitorDto } from '../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import type { Actor, ActorAccess } from '../platform/auth/actor.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { isSqlState, UNIQUE_VIOLATION } from '../platform/database/statements.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { ListPage } from '../platform/pagination/list-page.js';
import { notFound, throwNotFoundOrPreconditionFailed } from '../platform/problems/problem.js';
import { taken } from '../platform/problems/taken.js';
import { ProjectsService } from '../projects/projects.service.js';
import type { Check } from './check.entity.js';
import { CheckRules } from './check-rules.js';
import { CheckStatesRepository } from './check-states.repository.js';
import { ChecksRepository } from './checks.repository.js';
import type { CheckStateDto } from './dto/check-run.dto.js';
import type { CheckDto } from './dto/check.dto.js';
import type { CreateCheckDto } from './dto/create-check.dto.js';
import type { ListChecksQuery } from './dto/list-checks.query.js';
import type { UpdateCheckDto } from './dto/update-check.dto.js';
import { HeaderSecrets } from './header-secrets.js';

/** Limits of `stale_after_seconds` of a monitor. */
const STALE_AFTER = { min: 60, max: 604_800 };

/** Fields of a new check, within the limits of the DTO. */
export type NewCheck = Omit<CreateCheckDto, 'project_id'> & { id?: string | undefined };

/** Manages the checks of monitors. */
@Injectable()
export class ChecksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ChecksRepository,
    private readonly states: CheckStatesRepository,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly rules: CheckRules,
    private readonly secrets: HeaderSecrets,
  ) {}

  /**
   * Lists the checks of a project, newest first: all, or only the one of a monitor.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `invalid_cursor`
   */
  async list(access: ActorAccess, { monitor_id, ...query }: ListChecksQuery): Promise<ListPage<CheckDto>> {
    const name = monitor_id === undefined ? 'checks' : 'checks_of_monitor';
    return this.projects.listOf(access, name, query, (project, range) =>
      this.repository.findNewest(project, { monitor_id }, range),
    );
  }

  /** @throws Problem 404 `not_found` */
  async get(access: ActorAccess, id: string): Promise<RawJson<CheckDto>> {
    const check = await this.repository.findOwn(access, id);
    if (!check) throw notFound('check');
    return check;
  }

  /** @throws Problem 404 `not_found` */
  async stateOf(access: ActorAccess, id: string): Promise<CheckStateDto> {
    const state = await this.states.findOwn(access, id);
    if (!state) throw notFound('check');
    return state;
  }

  /**
   * Creates a check, which runs soon. A monitor that would never become stale, or before the next run, gets another
   * `stale_after_seconds`.
   * @throws Problem 404 `not_found` if the actor cannot access the project; 400 `validation_failed` for a target that does not fit the
   * type, or with `unknown_monitor`; 409 `conflict` if the monitor has a check
   */
  async create(actor: Actor, { project_id, ...fields }: CreateCheckDto): Promise<CheckDto> {
    await this.projects.require(actor, project_id);
    return this.dataSource.transaction((manager) => this.createIn(actor, project_id, fields, manager));
  }

  /** Creates a check in an existing project, like {@link create}. */
  async createIn(
    actor: Actor,
    project_id: string,
    { id = uuidv7(), headers, ...fields }: NewCheck,
    manager: EntityManager,
  ): Promise<CheckDto> {
    this.rules.check(fields.type, { ...fields, ...(headers && { headers }) });
    const project = this.projects.projectRef(actor, project_id);
    const { monitor_id, enabled = true } = fields;
    await this.monitors.lock(project, [{ id: monitor_id, path: ['monitor_id'] }], manager);
    const row = { ...fields, ...this.secrets.columnsOf(headers), ...project, id };
    const check = await this.repository.insertOwn(actor, row, manager).catch(throwIfMonitorIsTaken);
    await this.states.insert({ organization_id: project.organization_id, check_id: id }, enabled, manager);
    await this.keepFresh(actor, check, manager);
    return check;
  }

  /**
   * Updates a check, which then runs soon. Omitted fields keep their values.
   * @throws Problem 404 `not_found`; 400 `validation_failed`, like {@link create}; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    { headers, ...patch }: UpdateCheckDto,
    expected: ExpectedVersions,
  ): Promise<RawJson<CheckDto>> {
    return this.dataSource.transaction(async (manager) => {
      const found = await this.repository.findHead(actor, id, manager);
      if (!found) throw notFound('check');
      this.rules.check(found.type, { ...patch, ...(headers && { headers }) });
      // Before the check, as a deletion of the monitor does.
      await this.monitors.lockExisting(found, [found.monitor_id], manager);
      const locked = await this.repository.lockOwn(actor, id, expected, manager, 'NO KEY UPDATE');
      if (!locked)
        return throwNotFoundOrPreconditionFailed('check', this.repository.findOwn(actor, id, manager));
      const columns = { ...patch, ...this.secrets.columnsOf(headers) };
      const updated = await this.repository.patchOwn(actor, id, columns, undefined, manager);
      if (!updated) throw notFound('check');
      const { updated_at }: CheckDto = JSON.parse(String(updated.text));
      if (new Date(updated_at).getTime() === locked.updated_at.getTime()) return updated;
      const after = { ...locked, ...patch };
      await this.states.reset(
        { organization_id: locked.organization_id, check_id: id },
        after.enabled,
        manager,
      );
      await this.keepFresh(actor, after, manager);
      return updated;
    });
  }

  /** @throws Problem 404 `not_found`; 412 `precondition_failed` */
  async delete(actor: Actor, id: string, expected: ExpectedVersions): Promise<void> {
    if (!(await this.repository.deleteOwn(actor, id, expected)))
      await throwNotFoundOrPreconditionFailed('check', this.repository.findOwn(actor, id));
  }

  /**
   * Makes a monitor unknown if its enabled check stops: after three intervals. Keeps a longer time.
   */
  private async keepFresh(
    actor: Actor,
    check: Pick<Check, 'monitor_id' | 'interval_seconds' | 'timeout_seconds' | 'enabled'>,
    manager: EntityManager,
  ): Promise<void> {
    const { monitor_id, interval_seconds, timeout_seconds, enabled } = check;
    if (!enabled) return;
    const { text } = await this.monitors.get(actor, monitor_id, manager);
    const { stale_after_seconds }: MonitorDto = JSON.parse(String(text));
    if (stale_after_seconds !== null && stale_after_seconds > interval_seconds + timeout_seconds) return;
    const wanted = Math.max(3 * interval_seconds + timeout_seconds, STALE_AFTER.min);
    const patch = { stale_after_seconds: Math.min(wanted, STALE_AFTER.max) };
    await this.monitors.updateIn(actor, monitor_id, patch, undefined, manager);
  }
}

/** @throws Problem 409 `conflict` for a violation of `checks_monitor_idx` */
function throwIfMonitorIsTaken(error: unknown): never {
  if (isSqlState(error, UNIQUE_VIOLATION, /^checks_monitor_idx$/))
    throw taken(['monitor_id'], 'The monitor already has a check');
  throw error;
}
