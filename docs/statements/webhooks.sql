-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM webhook_endpoints
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING id;

INSERT INTO webhook_endpoints (id, organization_id, project_id, created_at, updated_at, url, disabled_reason, secret)
    VALUES ($1, $2, $3, $4, $5, $6::text, $7::text, $8::bytea)
RETURNING id, url, description, event_types, format, status, disabled_reason, failing_since, former_secret_until, status_page_id, project_id, created_at, updated_at;

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

SELECT row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM webhook_endpoints WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT url, status, secret FROM webhook_endpoints
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR NO KEY UPDATE;

UPDATE webhook_endpoints
    SET (secret, former_secret, former_secret_until) = ROW ($5::bytea, $6::bytea, $7::timestamp with time zone),
        updated_at = CASE
          WHEN ROW (secret, former_secret, former_secret_until) IS DISTINCT FROM ROW ($5::bytea, $6::bytea, $7::timestamp with time zone)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE webhook_endpoints
    SET (status_page_id, url, description, event_types, format, status, disabled_reason, failing_since) = ROW ($5::uuid, $6::text, $7::text, $8::text[], $9::text, $10::text, $11::text, $12::timestamp with time zone),
        updated_at = CASE
          WHEN ROW (status_page_id, url, description, event_types, format, status, disabled_reason, failing_since) IS DISTINCT FROM ROW ($5::uuid, $6::text, $7::text, $8::text[], $9::text, $10::text, $11::text, $12::timestamp with time zone)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, url AS url, description AS description, event_types AS event_types, format AS format, status AS status, disabled_reason AS disabled_reason, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS failing_since, to_char(former_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS former_secret_until, status_page_id AS status_page_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

WITH counted AS (SELECT FROM webhook_endpoints WHERE organization_id = $1 AND project_id = $2) SELECT count(*)::integer AS count FROM counted;
