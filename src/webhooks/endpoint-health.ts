import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { system } from '../platform/auth/actor.js';
import { EventsService } from '../events/events.service.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';

/** Days without a success after which an endpoint is disabled. */
const MAX_FAILING_DAYS = 5;

/** Before this time, an endpoint is certainly not disabled, even if the clocks differ by hours. */
const MAYBE_FAILING_MS = (MAX_FAILING_DAYS - 1) * 86_400_000;

const LOCK = 'SELECT FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE';

/** An endpoint as the attempts need it. */
export interface EndpointState extends Pick<ProjectRef, 'organization_id'> {
  id: string;
  /** The URL that was called. The result of a former one has no effect. */
  url: string;
  failing_since: Date | null;
}

/** Records how long an endpoint has been failing, and disables it. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: StatementRunner,
    private readonly events: EventsService,
  ) {}

  /** Records a success, if the endpoint was failing. */
  async succeeded({ organization_id, id, url, failing_since }: EndpointState): Promise<void> {
    if (failing_since === null) return;
    await this.runner.queryLocked(
      { text: LOCK, values: [organization_id, id] },
      {
        text: `UPDATE webhook_endpoints SET failing_since = NULL, updated_at = ${NEXT_VERSION}
                WHERE organization_id = $1 AND id = $2 AND url = $3 AND failing_since IS NOT NULL`,
        values: [organization_id, id, url],
      },
    );
  }

  /** Records a failure. Disables the endpoint if it has been failing for {@link MAX_FAILING_DAYS} days. */
  async failed(endpoint: EndpointState): Promise<void> {
    const { organization_id, id, url, failing_since } = endpoint;
    if (failing_since === null) {
      await this.runner.queryLocked(
        { text: LOCK, values: [organization_id, id] },
        {
          text: `UPDATE webhook_endpoints SET failing_since = clock_timestamp(), updated_at = ${NEXT_VERSION}
                  WHERE organization_id = $1 AND id = $2 AND url = $3 AND failing_since IS NULL`,
          values: [organization_id, id, url],
        },
      );
    } else if (Date.now() - failing_since.getTime() > MAYBE_FAILING_MS) {
      const isOverdue = `failing_since < clock_timestamp() - interval '${MAX_FAILING_DAYS} days'`;
      await this.disable(endpoint, 'failing', isOverdue);
    }
  }

  /** Disables an endpoint that has responded with 410 Gone. */
  async gone(endpoint: EndpointState): Promise<void> {
    await this.disable(endpoint, 'gone', 'true');
  }

  private async disable(endpoint: EndpointState, reason: DisabledReason, condition: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [disabled] = await this.disableLocked(endpoint, reason, condition, manager);
      if (!disabled) return;
      const { project_id } = disabled;
      const { organization_id, id } = endpoint;
      const actor = system('webhook deliveries', organization_id);
      const event = { type: 'webhook_endpoint.disabled', actor, resource_id: id, data: { reason } } as const;
      await this.events.record([{ ...event, organization_id, project_id }], manager);
    });
  }

  private async disableLocked(
    { organization_id, id, url }: EndpointState,
    reason: DisabledReason,
    condition: string,
    manager: EntityManager,
  ): Promise<Pick<ProjectRef, 'project_id'>[]> {
    return this.runner.queryLocked<Pick<ProjectRef, 'project_id'>>(
      { text: LOCK, values: [organization_id, id] },
      {
        text: `UPDATE webhook_endpoints
                  SET status = 'disabled', disabled_reason = $3, updated_at = ${NEXT_VERSION}
                WHERE organization_id = $1 AND id = $2 AND url = $4 AND status = 'enabled' AND ${condition}
               RETURNING project_id`,
        values: [organization_id, id, reason, url],
      },
      manager,
    );
  }
}
