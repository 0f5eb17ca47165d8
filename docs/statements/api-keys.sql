-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

INSERT INTO api_keys (id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at, organization_id, lineage, key_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
RETURNING id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at;

SELECT 'api_key' AS type, id, COALESCE(lineage, id) AS lineage, name, organization_id, scopes, project_ids,
         LEAST(expires_at, revoked_at) AS expires_at,
      coalesce(LEAST(expires_at, revoked_at) > clock_timestamp(), true) AS is_active
 FROM api_keys
WHERE organization_id = $1 AND id = $2
  FOR SHARE;

SELECT COALESCE(lineage, id) AS lineage, name, scopes, project_ids, expires_at,
      revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AS is_active
 FROM api_keys
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3
  FOR UPDATE;

SELECT FROM api_keys WHERE organization_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE;

SELECT coalesce(array_to_json((array_agg(json))[:$2]), '[]')::text AS text,
       CASE WHEN count(*) > $2 THEN (array_agg(created_at))[$2] END AS created_at,
       CASE WHEN count(*) > $2 THEN (array_agg(id))[$2] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.prefix AS prefix, resource.scopes AS scopes, resource.project_ids AS project_ids, to_char(resource.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, to_char(resource.revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS revoked_at, to_char(resource.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at
       FROM api_keys
      WHERE organization_id = $1
      ORDER BY created_at DESC, id DESC
      LIMIT $2::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$2]), '[]')::text AS text,
       CASE WHEN count(*) > $2 THEN (array_agg(created_at))[$2] END AS created_at,
       CASE WHEN count(*) > $2 THEN (array_agg(id))[$2] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.prefix AS prefix, resource.scopes AS scopes, resource.project_ids AS project_ids, to_char(resource.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, to_char(resource.revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS revoked_at, to_char(resource.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at
       FROM api_keys
      WHERE organization_id = $1 AND (created_at, id) < ($3::timestamptz, $4::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $2::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.prefix AS prefix, resource.scopes AS scopes, resource.project_ids AS project_ids, to_char(resource.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, to_char(resource.revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS revoked_at, to_char(resource.last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
          FROM (
WITH newest AS (
  SELECT project_id
    FROM (SELECT DISTINCT unnest($2::uuid[]) AS project_id) AS visible
   CROSS JOIN LATERAL (
SELECT created_at, id
  FROM api_keys
 WHERE organization_id = $1 AND project_ids IS NOT NULL AND project_ids[1] = project_id
   AND (cardinality(project_ids) = 1 OR project_ids <@ $2::uuid[])
 ORDER BY created_at DESC, id DESC
 LIMIT 1) AS key
   ORDER BY created_at DESC, id DESC
   LIMIT $3::int + 1
)
SELECT key.*
  FROM newest
 CROSS JOIN LATERAL (
SELECT id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at
  FROM api_keys
 WHERE organization_id = $1 AND project_ids IS NOT NULL AND project_ids[1] = project_id
   AND (cardinality(project_ids) = 1 OR project_ids <@ $2::uuid[])
 ORDER BY created_at DESC, id DESC
 LIMIT $3::int + 1) AS key
 ORDER BY created_at DESC, id DESC
 LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, prefix AS prefix, scopes AS scopes, project_ids AS project_ids, to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, organization_id AS organization_id) AS output))::text AS text, NULL AS version FROM api_keys WHERE organization_id = $1 AND id = $2;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, prefix AS prefix, scopes AS scopes, project_ids AS project_ids, to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS revoked_at, to_char(last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output))::text AS text, NULL AS version FROM api_keys WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3;

UPDATE api_keys
      SET revoked_at = LEAST(revoked_at, date_trunc('milliseconds', now()) + make_interval(secs => $4))
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3
RETURNING id, organization_id, name, revoked_at;

WITH counted AS (SELECT FROM api_keys
WHERE organization_id = $1 AND COALESCE(LEAST(expires_at, revoked_at), 'infinity') > now()
LIMIT $2) SELECT count(*)::integer AS count FROM counted;

WITH written AS (
    INSERT INTO api_keys (id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at, organization_id, lineage, key_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $13::uuid, $14::text, $15::text, $16::uuid, $17::text, $18::text, $19::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, NULL::uuid AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, name AS name, prefix AS prefix, scopes AS scopes, project_ids AS project_ids, to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS revoked_at, to_char(last_used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_used_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS api_keys) AS changed
  )
  SELECT id, name, prefix, scopes, project_ids, expires_at, revoked_at, last_used_at, created_at FROM written AS api_keys;
