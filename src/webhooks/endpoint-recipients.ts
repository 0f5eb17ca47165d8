import { Injectable } from '@nestjs/common';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookSecrets } from './webhook-secrets.js';

type ReadColumns = Pick<
  WebhookEndpoint,
  'id' | 'organization_id' | 'project_id' | 'status_page_id' | 'url' | 'format' | 'status' | 'failing_since'
>;

type StoredColumns = ReadColumns & Pick<WebhookEndpoint, 'secret' | 'former_secret'>;

/** Columns of {@link StoredColumns}. */
const COLUMNS = `id, organization_id, project_id, status_page_id, url, format, status, failing_since, secret,
  CASE WHEN former_secret_until > statement_timestamp() THEN former_secret END AS former_secret`;

/** An endpoint as the delivery needs it. */
export interface DeliverableEndpoint extends ReadColumns {
  /** The secret, then the former one while it is valid. Empty if the instance does not have the key that encrypted the secret. */
  secrets: string[];
}

/** Finds the recipients of webhooks. A delivery identifies its endpoint, so these need no organization. */
@Injectable()
export class EndpointRecipients {
  constructor(
    private readonly runner: StatementRunner,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Returns the endpoints with these IDs that still exist, of any status, in any order. */
  async find(ids: string[]): Promise<DeliverableEndpoint[]> {
    const rows = await this.runner.read<StoredColumns>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    return rows.map((row) => this.withSecrets(row));
  }

  /** Returns an endpoint of an organization. */
  async findOne(organization_id: string, id: string): Promise<DeliverableEndpoint | undefined> {
    const [row] = await this.runner.read<StoredColumns>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE organization_id = $1 AND id = $2`,
      [organization_id, id],
    );
    return row && this.withSecrets(row);
  }

  private withSecrets({ secret, former_secret, ...endpoint }: StoredColumns): DeliverableEndpoint {
    const current = this.secrets.read(secret);
    if (current === undefined) return { ...endpoint, secrets: [] };
    const former = former_secret === null ? undefined : this.secrets.read(former_secret);
    return { ...endpoint, secrets: former === undefined ? [current] : [current, former] };
  }
}
