import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { IncidentUpdateDto } from './dto/incident-update.dto.js';
import type { UpdateFacts } from './incident-history.js';
import { IncidentUpdate } from './incident-update.entity.js';

/** Incident of an update. Find or lock the incident first, because these queries do not check access. */
interface IncidentRef {
  organization_id: string;
  id: string;
}

/** Fields of an update that affect its incident, with its version. */
export type VersionedFacts = UpdateFacts & Pick<IncidentUpdate, 'updated_at'>;

type UpdatePatch = Partial<Pick<IncidentUpdate, 'body' | 'posted_at'>>;

const OF_INCIDENT = 'organization_id = $1 AND incident_id = $2';
const ONE = `${OF_INCIDENT} AND id = $3`;

/** Number of updates that one statement of a list reads. An update can have 50,000 bytes. */
const BATCH_SIZE = 50;

/** Reads and writes the table `incident_updates`. */
@Injectable()
export class IncidentUpdatesRepository {
  private readonly table: ResourceTable<IncidentUpdate, IncidentUpdateDto>;

  constructor(
    @InjectRepository(IncidentUpdate) repository: Repository<IncidentUpdate>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, [
      'id',
      'status',
      'body',
      'monitors',
      'posted_at',
      'incident_id',
      'created_at',
      'updated_at',
    ]);
  }

  /** Returns the updates of an incident, newest first. Uses `incident_updates_list_idx`. */
  async findNewest({ organization_id, id }: IncidentRef, range: Range): Promise<Rows<IncidentUpdateDto>> {
    return this.table.list(OF_INCIDENT, [organization_id, id], range, BATCH_SIZE);
  }

  async findOf(
    { organization_id, id }: IncidentRef,
    updateId: string,
    manager?: EntityManager,
  ): Promise<RawJson<IncidentUpdateDto> | undefined> {
    return this.table.find(ONE, [organization_id, id, updateId], manager);
  }

  /** Returns all updates of an incident without their texts, in the order of creation. */
  async findFacts({ organization_id, id }: IncidentRef, manager: EntityManager): Promise<VersionedFacts[]> {
    return this.runner.read<VersionedFacts>(
      `SELECT id, status, monitors, posted_at, created_at, updated_at
         FROM incident_updates
        WHERE ${OF_INCIDENT}
        ORDER BY created_at, id`,
      [organization_id, id],
      manager,
    );
  }

  /** Inserts updates of a new or locked incident. */
  async insertAll(updates: Omit<IncidentUpdate, 'incident'>[], manager: EntityManager): Promise<void> {
    await this.table.insertAll(updates, manager);
  }

  /** Changes an update of a locked incident. Its version increases only if a value changes. */
  async patch(
    { organization_id, id }: IncidentRef,
    updateId: string,
    patch: UpdatePatch,
    manager: EntityManager,
  ): Promise<RawJson<IncidentUpdateDto> | undefined> {
    return this.table.patch(ONE, [organization_id, id, updateId], patch, undefined, manager);
  }

  /** Deletes an update of a locked incident. */
  async deleteOf(
    { organization_id, id }: IncidentRef,
    updateId: string,
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `DELETE FROM incident_updates WHERE ${ONE}`,
      [organization_id, id, updateId],
      manager,
    );
  }

  /** Removes a monitor from the updates that reference it. The caller has locked their incidents. */
  async removeMonitor(
    { organization_id, id }: { organization_id: string; id: string },
    manager: EntityManager,
  ): Promise<void> {
    await this.runner.query(
      `UPDATE incident_updates
          SET monitors = ${withoutMonitor('$2')}, updated_at = ${NEXT_VERSION}
        WHERE organization_id = $1 AND monitors @> $3::jsonb`,
      [organization_id, id, JSON.stringify([{ monitor_id: id }])],
      manager,
    );
  }
}

/** Returns SQL of the column `monitors` without the monitor in a parameter. */
export function withoutMonitor(parameter: string): string {
  const path = `'$[*] ? (@.monitor_id != $id)'`;
  return `jsonb_path_query_array(monitors, ${path}, jsonb_build_object('id', ${parameter}::text))`;
}
