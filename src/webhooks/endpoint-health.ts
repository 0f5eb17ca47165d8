import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { system } from '../platform/auth/actor.js';
import { EventsService } from '../events/events.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';

/** Days without a success after which an endpoint is disabled. */
const MAX_FAILING_DAYS = 5;

/** Before this time, an endpoint is certainly not disabled, even if the clocks differ by hours. */
const MAYBE_FAILING_MS = (MAX_FAILING_DAYS - 1) * 86_400_000;

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
    private readonly repository: WebhookEndpointsRepository,
    private readonly events: EventsService,
  ) {}

  /** Records a success, if the endpoint was failing. */
  async succeeded(endpoint: EndpointState): Promise<void> {
    if (endpoint.failing_since !== null) await this.repository.setFailing(endpoint, false);
  }

  /** Records a failure. Disables the endpoint if it has been failing for {@link MAX_FAILING_DAYS} days. */
  async failed(endpoint: EndpointState): Promise<void> {
    const { failing_since } = endpoint;
    if (failing_since === null) await this.repository.setFailing(endpoint, true);
    else if (Date.now() - failing_since.getTime() > MAYBE_FAILING_MS)
      await this.disable(endpoint, 'failing', MAX_FAILING_DAYS);
  }

  /** Disables an endpoint that has responded with 410 Gone. */
  async gone(endpoint: EndpointState): Promise<void> {
    await this.disable(endpoint, 'gone', null);
  }

  /** @param days only if it has been failing for more days */
  private async disable(endpoint: EndpointState, reason: DisabledReason, days: number | null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const disabled = await this.repository.disable(endpoint, reason, days, manager);
      if (!disabled) return;
      const { project_id } = disabled;
      const { organization_id, id } = endpoint;
      const actor = system('webhook deliveries', organization_id);
      const event = { type: 'webhook_endpoint.disabled', actor, resource_id: id, data: { reason } } as const;
      await this.events.record([{ ...event, organization_id, project_id }], manager);
    });
  }
}
