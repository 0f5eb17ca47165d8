import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import { notFound } from '../platform/problems/problem.js';
import type { StatusInterval } from '../monitors/monitor-status.js';
import { MaintenancesRepository } from './maintenances.repository.js';

/** Returns when monitors are under maintenance, and when a window ends. */
@Injectable()
export class MaintenanceIntervalsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: MaintenancesRepository,
  ) {}

  /** Returns when a window ends, or was closed. @throws Problem 404 `not_found` */
  async endOf(access: ActorAccess, id: string): Promise<Date> {
    const end = await this.repository.findEnd(access, id);
    if (!end) throw notFound('maintenance window');
    return end;
  }

  /** Returns the windows of monitors that overlap `from` until before `to`. */
  async intervalsOf(
    organizationId: string,
    monitorIds: string[],
    range: { from: Date; to: Date },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StatusInterval[]> {
    return this.repository.findIntervals(organizationId, monitorIds, range, manager);
  }

  /** Returns the windows that contain the time `at`, limited to the first 100 to start per monitor. */
  async activeOf(
    organizationId: string,
    monitorIds: string[],
    at: Date,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<{ monitor_id: string; maintenance_id: string }[]> {
    return this.repository.findActive(organizationId, monitorIds, at, manager);
  }
}
