-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

INSERT INTO deliveries (id, organization_id, project_id, channel, kind, event_id, recipient_id, due_at)
SELECT id, organization_id, project_id, channel, kind, event_id, recipient_id, now()
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::uuid[])
       AS new (id, organization_id, project_id, channel, kind, event_id, recipient_id)
    ON CONFLICT (event_id, recipient_id) DO NOTHING;

SELECT FROM deliveries WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND channel = 'webhook' FOR NO KEY UPDATE;

SELECT FROM deliveries WHERE organization_id = $1 AND recipient_id = $2 AND channel = 'webhook' AND event_id = ANY($3::uuid[]) ORDER BY id FOR NO KEY UPDATE;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.endpoint_id AS endpoint_id, resource.event_id AS event_id, resource.event_type AS event_type, resource.status AS status, resource.attempt_count AS attempt_count, resource.next_attempt_at AS next_attempt_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS finished_at, resource.attempts AS attempts) AS output)) AS json, id, created_at
          FROM (
     SELECT id, recipient_id AS endpoint_id, event_id, (SELECT type FROM events AS event
          WHERE event.organization_id = deliveries.organization_id AND event.id = deliveries.event_id) AS event_type, status, attempts AS attempt_count, CASE WHEN status = 'pending' THEN to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END AS next_attempt_at, created_at, finished_at, attempt_log AS attempts
       FROM deliveries
      WHERE organization_id = $1 AND recipient_id = $2 AND channel = 'webhook'
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT recipient_id FROM deliveries WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND channel = 'webhook';

UPDATE deliveries SET status = 'pending', attempts = 0, lease = lease + 1, due_at = clock_timestamp(), finished_at = NULL, error = NULL WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND channel = 'webhook' AND (status <> 'pending' OR due_at > clock_timestamp() + interval '60000 milliseconds') RETURNING row_to_json((SELECT output FROM (SELECT id AS id, recipient_id AS endpoint_id, event_id AS event_id, (SELECT type FROM events AS event
WHERE event.organization_id = deliveries.organization_id AND event.id = deliveries.event_id) AS event_type, status AS status, attempts AS attempt_count, CASE WHEN status = 'pending' THEN to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END AS next_attempt_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS finished_at, attempt_log AS attempts) AS output))::text AS text, NULL AS version;

UPDATE deliveries SET status = 'pending', attempts = 0, lease = lease + 1, due_at = clock_timestamp(), finished_at = NULL, error = NULL WHERE organization_id = $1 AND recipient_id = $2 AND channel = 'webhook' AND event_id = ANY($3::uuid[]) AND (status <> 'pending' OR due_at > clock_timestamp() + interval '60000 milliseconds');
