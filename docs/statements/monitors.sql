-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM monitors
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING id;

INSERT INTO monitors (id, organization_id, project_id, created_at, updated_at, name, key, description, stale_after_seconds)
SELECT id, organization_id, project_id, created_at, updated_at, name, key, description, stale_after_seconds FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, organization_id uuid, project_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, name text, key text, description text, stale_after_seconds integer);

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.key AS key, resource.description AS description, resource.stale_after_seconds AS stale_after_seconds, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, key, description, stale_after_seconds, project_id, created_at, updated_at
       FROM monitors
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.key AS key, resource.description AS description, resource.stale_after_seconds AS stale_after_seconds, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, key, description, stale_after_seconds, project_id, created_at, updated_at
       FROM monitors
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id FROM monitors WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE;

SELECT id, name, description, created_at, updated_at FROM monitors WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

SELECT id, organization_id, project_id, stale_after_seconds FROM monitors
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR NO KEY UPDATE;

SELECT id, organization_id, project_id, stale_after_seconds FROM monitors
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT organization_id, project_id FROM monitors WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM monitors WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

UPDATE monitors
    SET (name, key, description, stale_after_seconds) = ROW ($5::text, $6::text, $7::text, $8::integer),
        updated_at = CASE
          WHEN ROW (name, key, description, stale_after_seconds) IS DISTINCT FROM ROW ($5::text, $6::text, $7::text, $8::integer)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;
