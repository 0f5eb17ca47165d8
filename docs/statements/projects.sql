-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM projects
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING id;

INSERT INTO projects (id, organization_id, created_at, updated_at, name)
    VALUES ($1, $2, $3, $4, $5::text)
RETURNING id, name, created_at, updated_at;

SELECT FROM projects WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, created_at, updated_at
       FROM projects
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[]))
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, created_at, updated_at
       FROM projects
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id FROM projects WHERE organization_id = $1 AND id = ANY($2::uuid[]);

SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM projects WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND id = $3;

UPDATE projects
    SET (name) = ROW ($5::text),
        updated_at = CASE
          WHEN ROW (name) IS DISTINCT FROM ROW ($5::text)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;
