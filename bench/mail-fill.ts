import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** A project with one status page, and the number of its subscribers. */
export interface Audience {
  project_id: string;
  subscribers: number;
}

/** Inserts a project with a status page of five monitors and active subscribers. */
export async function fillAudience(
  client: Client,
  organization_id: string,
  subscribers: number,
): Promise<Audience> {
  const [project_id, status_page_id] = [randomUUID(), randomUUID()];
  await client.query('INSERT INTO projects (id, organization_id, name) VALUES ($1, $2, $3)', [
    project_id,
    organization_id,
    `Project of ${subscribers} subscribers`,
  ]);
  await client.query(
    `WITH monitor AS (
       INSERT INTO monitors (id, organization_id, project_id, name)
       SELECT gen_random_uuid(), $1, $2, 'Monitor ' || n FROM generate_series(1, 5) AS n
       RETURNING id
     )
     INSERT INTO status_pages (id, organization_id, project_id, name, slug, subscribe_enabled, sections)
     SELECT $3::uuid, $1, $2, 'Acme Cloud', $4, true,
            jsonb_build_array(jsonb_build_object('id', 'core', 'title', 'Core', 'monitor_ids', jsonb_agg(id)))
       FROM monitor`,
    [organization_id, project_id, status_page_id, `mail-${status_page_id}`],
  );
  // Increasing IDs, like UUIDv7.
  await client.query(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source,
                              confirmed_at)
     SELECT (substr($3::uuid::text, 1, 13) || '-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, $3::uuid,
            'person-' || n || '@example.com', 'person-' || n || '@example.com', 'active', 'api', now()
       FROM generate_series(1, $4::integer) AS n`,
    [organization_id, project_id, status_page_id, subscribers],
  );
  await client.query('VACUUM ANALYZE subscribers');
  return { project_id, subscribers };
}
