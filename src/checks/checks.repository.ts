import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { OWN, ownRowParameters, type RowAccess } from '../platform/database/own-rows.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { TenantRepository } from '../platform/database/tenant-repository.js';
import { Check } from './check.entity.js';
import type { CheckDto } from './dto/check.dto.js';
import { PROBED, type StoredProbe } from './stored-probe.js';

/** Number of checks that one statement of a list reads. A check can have 50,000 bytes. */
const BATCH_SIZE = 50;

/** Values on which an update depends. */
export type LockedCheck = Pick<
  Check,
  'organization_id' | 'monitor_id' | 'interval_seconds' | 'timeout_seconds' | 'enabled' | 'updated_at'
>;

/** Owner, monitor and type of a check, which never change. */
export type CheckHead = Pick<Check, 'organization_id' | 'project_id' | 'monitor_id' | 'type'>;

/** Reads and writes the table `checks`. */
@Injectable()
export class ChecksRepository extends TenantRepository<Check, CheckDto, LockedCheck> {
  constructor(@InjectRepository(Check) repository: Repository<Check>, runner: StatementRunner) {
    super(repository, runner, {
      output: [
        'id',
        'monitor_id',
        'type',
        'target',
        'interval_seconds',
        'timeout_seconds',
        'failures',
        'recoveries',
        'degraded_above_ms',
        'status_on_failure',
        'enabled',
        'method',
        'header_names',
        'body',
        'expected_status',
        'body_contains',
        'follow_redirects',
        'record_type',
        'expected',
        'days_before_expiry',
        'project_id',
        'created_at',
        'updated_at',
      ],
      log: {
        created: 'check.created',
        updated: 'check.updated',
        deleted: 'check.deleted',
        hidden: ['target', 'body'], // both can contain a token
      },
      locked: [
        'organization_id',
        'monitor_id',
        'interval_seconds',
        'timeout_seconds',
        'enabled',
        'updated_at',
      ],
      batchSize: BATCH_SIZE,
    });
  }

  /** Returns the owner, the monitor and the type of a check. Does not lock the row. */
  async findHead(access: RowAccess, id: string, manager: EntityManager): Promise<CheckHead | undefined> {
    const [head] = await this.runner.read<CheckHead>(
      `SELECT organization_id, project_id, monitor_id, type FROM checks WHERE ${OWN}`,
      ownRowParameters(access, id),
      manager,
    );
    return head;
  }

  /** Returns what a check asks. Does not lock the row. */
  async findProbe(access: RowAccess, id: string): Promise<StoredProbe | undefined> {
    const [probe] = await this.runner.readOwn<StoredProbe>(
      `SELECT ${PROBED} FROM checks WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return probe;
  }
}
