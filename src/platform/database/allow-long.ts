import { allowLong as allowLongClient } from '@status-pages/resilient-pg';
import { Client } from 'pg';
import type { EntityManager } from 'typeorm';

/**
 * Extends the limit of each further statement in a transaction to ten seconds, for work that depends on the amount of an
 * organization's data.
 *
 *     await this.dataSource.transaction(async (manager) => {
 *       await allowLong(manager);
 *       await this.repository.deleteOwn(key, id, expected, manager);
 *     });
 */
export async function allowLong(manager: EntityManager): Promise<void> {
  const client: unknown = await manager.queryRunner?.connect();
  if (client instanceof Client) await allowLongClient(client);
}
