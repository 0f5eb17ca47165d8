-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM subscribers WHERE organization_id = $1 AND id = ANY($2::uuid[]);

INSERT INTO erased_subscribers (organization_id, project_id, status_page_id, email_hash)
VALUES ($1, $2, $3, $4)
ON CONFLICT (status_page_id, email_hash) DO NOTHING;

INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    update_id, changes, data, created_at, is_notified)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, statement_timestamp(), false);

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
      SET status = CASE WHEN true THEN 'suppressed' ELSE status END,
          suppressed_reason = CASE WHEN true THEN $5 END,
          is_lifted_by_delivery = $6,
          bounced_messages = CASE WHEN $4::text IS NULL THEN bounced_messages
            ELSE ($4 || bounced_messages)[1:32] END,
          last_bounced_at = clock_timestamp(), bounce_is_reported = true, updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND email_key = ANY($3::text[]) AND (status <> 'suppressed' OR (status = 'suppressed' AND suppressed_reason = 'bounced' AND is_lifted_by_delivery))
RETURNING id, project_id, status = 'suppressed' AS is_suppressed;

UPDATE subscribers
  SET monitor_ids = array_remove(monitor_ids, $3::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = ANY($2::uuid[]);

WITH counted AS (SELECT FROM subscribers WHERE organization_id = $1 AND status_page_id = $2 LIMIT $3) SELECT count(*)::integer AS count FROM counted;

WITH former AS (
      SELECT id AS former_id, status AS former_status, suppressed_reason AS former_suppressed_reason, monitor_ids AS former_monitor_ids, detail AS former_detail, maintenances AS former_maintenances
        FROM subscribers
       WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id) AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
         FOR NO KEY UPDATE
    ), written AS (
      UPDATE subscribers
         SET (status, suppressed_reason, monitor_ids, detail, maintenances) = ROW ($5::text, $6::text, $7::uuid[], $8::text, $9::boolean),
          updated_at = CASE
            WHEN ROW (status, suppressed_reason, monitor_ids, detail, maintenances) IS DISTINCT FROM ROW ($5::text, $6::text, $7::uuid[], $8::text, $9::boolean)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END
        FROM former
       WHERE organization_id = $1 AND id = former_id
      RETURNING row_to_json((SELECT output FROM (SELECT id AS id, email AS email, status AS status, suppressed_reason AS suppressed_reason, monitor_ids AS monitor_ids, detail AS detail, maintenances AS maintenances, source AS source, to_char(confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, status AS next_status, suppressed_reason AS next_suppressed_reason, monitor_ids AS next_monitor_ids, detail AS next_detail, maintenances AS next_maintenances
    ), changed AS (
      SELECT organization_id, own_project_id AS project_id, id, (
  SELECT jsonb_object_agg(name, CASE WHEN name IN ('email') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
         THEN '{"from": null, "to": null, "is_omitted": true}'
         ELSE jsonb_build_object('from', former, 'to', next) END)
    FROM (VALUES ('status', to_jsonb(former_status), to_jsonb(next_status)), ('suppressed_reason', to_jsonb(former_suppressed_reason), to_jsonb(next_suppressed_reason)), ('monitor_ids', to_jsonb(former_monitor_ids), to_jsonb(next_monitor_ids)), ('detail', to_jsonb(former_detail), to_jsonb(next_detail)), ('maintenances', to_jsonb(former_maintenances), to_jsonb(next_maintenances))) AS field (name, former, next)
   WHERE former IS DISTINCT FROM next) AS changes
        FROM written
    ), event AS (
  INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                      changes, created_at, is_notified)
  SELECT $10::uuid, $11::text, $12::text, $13::uuid, $14::text, $15::text, $16::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
    FROM changed WHERE changes IS NOT NULL
    )
    SELECT text, version FROM written;

WITH written AS (
      DELETE FROM subscribers
       WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND EXISTS (
SELECT FROM status_pages AS page WHERE page.organization_id = $1 AND page.id = subscribers.status_page_id) AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
      RETURNING *
    ), event AS (
  INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                      changes, created_at, is_notified)
  SELECT $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::text, $11::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
    FROM (SELECT organization_id, project_id AS project_id, id,
                  (
  SELECT jsonb_object_agg(name, CASE WHEN name IN ('email') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
         THEN '{"from": null, "to": null, "is_omitted": true}'
         ELSE jsonb_build_object('from', former, 'to', next) END)
    FROM (SELECT key AS name, value AS former, NULL::jsonb AS next
            FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, email AS email, status AS status, suppressed_reason AS suppressed_reason, monitor_ids AS monitor_ids, detail AS detail, maintenances AS maintenances, source AS source, to_char(confirmed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS confirmed_at, to_char(last_sent_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_sent_at, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
           WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
             FROM written AS subscribers) AS changed
    )
    SELECT id FROM written;
