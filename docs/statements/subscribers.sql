-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM subscribers
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id) AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  RETURNING id;

DELETE FROM subscribers WHERE organization_id = $1 AND id = ANY($2::uuid[]);

INSERT INTO erased_subscribers (organization_id, project_id, status_page_id, email_hash)
VALUES ($1, $2, $3, $4)
ON CONFLICT (status_page_id, email_hash) DO NOTHING;

INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, monitor_ids, detail,
                         maintenances, source, confirmed_at, confirmed_by, created_at, updated_at)
SELECT id, $1, $2, $3, email, email_key, status, monitor_ids, detail, maintenances, source, confirmed_at, confirmed_by,
       created_at, created_at
  FROM jsonb_to_recordset($4::jsonb)
       AS new (id uuid, email text, email_key text, status text, monitor_ids uuid[], detail text, maintenances boolean,
               source text, confirmed_at timestamptz, confirmed_by uuid, created_at timestamptz)
ON CONFLICT (status_page_id, email_key) DO NOTHING
RETURNING id, email, status, suppressed_reason, monitor_ids, detail, maintenances, source, confirmed_at, last_sent_at, status_page_id, project_id, created_at, updated_at, email_key;

SELECT FROM status_pages WHERE organization_id = $1 AND project_id = $2 AND id = $3 FOR NO KEY UPDATE;

SELECT FROM subscribers WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND email_key = ANY($3::text[]) ORDER BY id FOR NO KEY UPDATE;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.email AS email, resource.status AS status, resource.suppressed_reason AS suppressed_reason, resource.monitor_ids AS monitor_ids, resource.detail AS detail, resource.maintenances AS maintenances, resource.source AS source, to_char(resource.confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(resource.last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, resource.status_page_id AS status_page_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, email, status, suppressed_reason, monitor_ids, detail, maintenances, source, confirmed_at, last_sent_at, status_page_id, project_id, created_at, updated_at
       FROM subscribers
      WHERE organization_id = $1 AND status_page_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.email AS email, resource.status AS status, resource.suppressed_reason AS suppressed_reason, resource.monitor_ids AS monitor_ids, resource.detail AS detail, resource.maintenances AS maintenances, resource.source AS source, to_char(resource.confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(resource.last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, resource.status_page_id AS status_page_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, email, status, suppressed_reason, monitor_ids, detail, maintenances, source, confirmed_at, last_sent_at, status_page_id, project_id, created_at, updated_at
       FROM subscribers
      WHERE organization_id = $1 AND status_page_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT email_hash FROM erased_subscribers WHERE organization_id = $1 AND status_page_id = $2 AND email_hash = ANY($3::bytea[]);

SELECT id, cardinality(monitor_ids) = 1 AS is_last
 FROM subscribers
WHERE organization_id = $1 AND project_id = $2 AND monitor_ids @> ARRAY[$3::uuid]
ORDER BY id
  FOR UPDATE;

SELECT id, email_key FROM subscribers WHERE organization_id = $1 AND status_page_id = $2 AND email_key = ANY($3::text[]);

SELECT organization_id, project_id, status_page_id, email_key FROM subscribers WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id);

SELECT row_to_json((SELECT output FROM (SELECT id AS id, email AS email, status AS status, suppressed_reason AS suppressed_reason, monitor_ids AS monitor_ids, detail AS detail, maintenances AS maintenances, source AS source, to_char(confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM subscribers WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id);

SELECT status, confirmed_at FROM subscribers
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id) AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
        FOR NO KEY UPDATE;

UPDATE subscribers
      SET (status, suppressed_reason, monitor_ids, detail, maintenances) = ROW ($5::text, $6::text, $7::uuid[], $8::text, $9::boolean),
          updated_at = CASE
            WHEN ROW (status, suppressed_reason, monitor_ids, detail, maintenances) IS DISTINCT FROM ROW ($5::text, $6::text, $7::uuid[], $8::text, $9::boolean)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id) AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  RETURNING row_to_json((SELECT output FROM (SELECT id AS id, email AS email, status AS status, suppressed_reason AS suppressed_reason, monitor_ids AS monitor_ids, detail AS detail, maintenances AS maintenances, source AS source, to_char(confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE subscribers
      SET status = CASE WHEN true THEN 'suppressed' ELSE status END,
          suppressed_reason = CASE WHEN true THEN $5 END,
          is_lifted_by_delivery = $6,
          bounced_messages = CASE WHEN $4::text IS NULL THEN bounced_messages
            ELSE ($4 || bounced_messages)[1:32] END,
          last_bounced_at = clock_timestamp(), bounce_is_reported = true, updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND email_key = ANY($3::text[]) AND (status <> 'suppressed' OR (status = 'suppressed' AND suppressed_reason = 'bounced' AND is_lifted_by_delivery))
RETURNING status = 'suppressed' AS is_suppressed;

UPDATE subscribers
  SET monitor_ids = array_remove(monitor_ids, $3::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = ANY($2::uuid[]);

WITH counted AS (SELECT FROM subscribers WHERE organization_id = $1 AND status_page_id = $2 LIMIT $3) SELECT count(*)::integer AS count FROM counted;
