-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.url AS url, resource.description AS description, resource.event_types AS event_types, resource.format AS format, resource.status AS status, resource.disabled_reason AS disabled_reason, to_char(resource.failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(resource.former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, resource.status_page_id AS status_page_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, url, description, event_types, format, status, disabled_reason, failing_since, former_secret_until, status_page_id, project_id, created_at, updated_at
       FROM webhook_endpoints
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.url AS url, resource.description AS description, resource.event_types AS event_types, resource.format AS format, resource.status AS status, resource.disabled_reason AS disabled_reason, to_char(resource.failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(resource.former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, resource.status_page_id AS status_page_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, url, description, event_types, format, status, disabled_reason, failing_since, former_secret_until, status_page_id, project_id, created_at, updated_at
       FROM webhook_endpoints
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id, organization_id, project_id, status_page_id, event_types, status FROM webhook_endpoints WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT id, organization_id, project_id, status_page_id, url, format, status, failing_since, secret,
CASE WHEN former_secret_until > statement_timestamp() THEN former_secret END AS former_secret FROM webhook_endpoints WHERE organization_id = $1 AND id = $2;

SELECT project_id, url, status, secret FROM webhook_endpoints
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR NO KEY UPDATE;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM webhook_endpoints WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

WITH counted AS (SELECT FROM webhook_endpoints WHERE organization_id = $1 AND project_id = $2) SELECT count(*)::integer AS count FROM counted;

WITH former AS (
    SELECT id AS former_id, former_secret_until AS former_former_secret_until
      FROM webhook_endpoints
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE webhook_endpoints
       SET (secret, former_secret, former_secret_until) = ROW ($5::bytea, $6::bytea, $7::timestamp with time zone),
        updated_at = CASE
          WHEN ROW (secret, former_secret, former_secret_until) IS DISTINCT FROM ROW ($5::bytea, $6::bytea, $7::timestamp with time zone)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, former_secret_until AS next_former_secret_until
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('url') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('former_secret_until', to_jsonb(to_char(former_former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), to_jsonb(to_char(next_former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $8::uuid, $9::text, $10::text, $11::uuid, $12::text, $13::text, $14::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH former AS (
    SELECT id AS former_id, status_page_id AS former_status_page_id, url AS former_url, description AS former_description, event_types AS former_event_types, format AS former_format, status AS former_status, disabled_reason AS former_disabled_reason, failing_since AS former_failing_since
      FROM webhook_endpoints
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE webhook_endpoints
       SET (status_page_id, url, description, event_types, format, status, disabled_reason, failing_since) = ROW ($5::uuid, $6::text, $7::text, $8::text[], $9::text, $10::text, $11::text, $12::timestamp with time zone),
        updated_at = CASE
          WHEN ROW (status_page_id, url, description, event_types, format, status, disabled_reason, failing_since) IS DISTINCT FROM ROW ($5::uuid, $6::text, $7::text, $8::text[], $9::text, $10::text, $11::text, $12::timestamp with time zone)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, status_page_id AS next_status_page_id, url AS next_url, description AS next_description, event_types AS next_event_types, format AS next_format, status AS next_status, disabled_reason AS next_disabled_reason, failing_since AS next_failing_since
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('url') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('status_page_id', to_jsonb(former_status_page_id), to_jsonb(next_status_page_id)), ('url', to_jsonb(former_url), to_jsonb(next_url)), ('description', to_jsonb(former_description), to_jsonb(next_description)), ('event_types', to_jsonb(former_event_types), to_jsonb(next_event_types)), ('format', to_jsonb(former_format), to_jsonb(next_format)), ('status', to_jsonb(former_status), to_jsonb(next_status)), ('disabled_reason', to_jsonb(former_disabled_reason), to_jsonb(next_disabled_reason)), ('failing_since', to_jsonb(to_char(former_failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), to_jsonb(to_char(next_failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $13::uuid, $14::text, $15::text, $16::uuid, $17::text, $18::text, $19::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH written AS (
    DELETE FROM webhook_endpoints
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::text, $11::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('url') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, value AS former, NULL::jsonb AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS webhook_endpoints) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    INSERT INTO webhook_endpoints (id, organization_id, project_id, created_at, updated_at, url, disabled_reason, secret)
    VALUES ($1, $2, $3, $4, $5, $6::text, $7::text, $8::bytea)
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $9::uuid, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('url') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS webhook_endpoints) AS changed
  )
  SELECT id, url, description, event_types, format, status, disabled_reason, failing_since, former_secret_until, status_page_id, project_id, created_at, updated_at FROM written AS webhook_endpoints;
