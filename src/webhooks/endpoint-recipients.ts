import { Injectable } from '@nestjs/common';
import { type StoredEndpoint, WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** An endpoint as the delivery needs it. */
export interface DeliverableEndpoint extends Omit<StoredEndpoint, 'secret' | 'former_secret'> {
  /** The secret, then the former one while it is valid. Empty if the instance does not have the key that encrypted the secret. */
  secrets: string[];
}

/** Finds the recipients of webhooks. A delivery identifies its endpoint, so these need no organization. */
@Injectable()
export class EndpointRecipients {
  constructor(
    private readonly repository: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Returns the endpoints with these IDs that still exist, of any status, in any order. */
  async find(ids: string[]): Promise<DeliverableEndpoint[]> {
    const rows = await this.repository.findStored(ids);
    return rows.map((row) => this.withSecrets(row));
  }

  /** Returns an endpoint of an organization. */
  async findOne(organization_id: string, id: string): Promise<DeliverableEndpoint | undefined> {
    const row = await this.repository.findStoredOne(organization_id, id);
    return row && this.withSecrets(row);
  }

  private withSecrets({ secret, former_secret, ...endpoint }: StoredEndpoint): DeliverableEndpoint {
    const current = this.secrets.read(secret);
    if (current === undefined) return { ...endpoint, secrets: [] };
    const former = former_secret === null ? undefined : this.secrets.read(former_secret);
    return { ...endpoint, secrets: former === undefined ? [current] : [current, former] };
  }
}
