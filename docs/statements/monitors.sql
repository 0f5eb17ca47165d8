-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.key AS key, resource.description AS description, resource.stale_after_seconds AS stale_after_seconds, resource.draft_template_id AS draft_template_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, key, description, stale_after_seconds, draft_template_id, project_id, created_at, updated_at
       FROM monitors
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.key AS key, resource.description AS description, resource.stale_after_seconds AS stale_after_seconds, resource.draft_template_id AS draft_template_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, key, description, stale_after_seconds, draft_template_id, project_id, created_at, updated_at
       FROM monitors
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id FROM monitors WHERE organization_id = $1 AND project_id = $2 AND draft_template_id = $3 ORDER BY id LIMIT 1 FOR KEY SHARE;

SELECT id FROM monitors WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE;

SELECT id, draft_template_id
 FROM monitors
WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) AND draft_template_id IS NOT NULL
ORDER BY id
  FOR KEY SHARE SKIP LOCKED;

SELECT id, name, description, created_at, updated_at FROM monitors WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

SELECT id, organization_id, project_id, stale_after_seconds FROM monitors
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR NO KEY UPDATE;

SELECT id, organization_id, project_id, stale_after_seconds FROM monitors
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT organization_id, project_id FROM monitors WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, draft_template_id AS draft_template_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM monitors WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

WITH former AS (
    SELECT id AS former_id, name AS former_name, key AS former_key, description AS former_description, stale_after_seconds AS former_stale_after_seconds, draft_template_id AS former_draft_template_id
      FROM monitors
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE monitors
       SET (name, key, description, stale_after_seconds, draft_template_id) = ROW ($5::text, $6::text, $7::text, $8::integer, $9::uuid),
        updated_at = CASE
          WHEN ROW (name, key, description, stale_after_seconds, draft_template_id) IS DISTINCT FROM ROW ($5::text, $6::text, $7::text, $8::integer, $9::uuid)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, draft_template_id AS draft_template_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, name AS next_name, key AS next_key, description AS next_description, stale_after_seconds AS next_stale_after_seconds, draft_template_id AS next_draft_template_id
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('name', to_jsonb(former_name), to_jsonb(next_name)), ('key', to_jsonb(former_key), to_jsonb(next_key)), ('description', to_jsonb(former_description), to_jsonb(next_description)), ('stale_after_seconds', to_jsonb(former_stale_after_seconds), to_jsonb(next_stale_after_seconds)), ('draft_template_id', to_jsonb(former_draft_template_id), to_jsonb(next_draft_template_id))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $10::uuid, $11::text, $12::text, $13::uuid, $14::text, $15::text, $16::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH former AS (
    SELECT id AS former_id, stale_after_seconds AS former_stale_after_seconds
      FROM monitors
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE monitors
       SET (stale_after_seconds) = ROW ($5::integer),
        updated_at = CASE
          WHEN ROW (stale_after_seconds) IS DISTINCT FROM ROW ($5::integer)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, draft_template_id AS draft_template_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, stale_after_seconds AS next_stale_after_seconds
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('stale_after_seconds', to_jsonb(former_stale_after_seconds), to_jsonb(next_stale_after_seconds))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $6::uuid, $7::text, $8::text, $9::uuid, $10::text, $11::text, $12::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH written AS (
    DELETE FROM monitors
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::text, $11::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, value AS former, NULL::jsonb AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, draft_template_id AS draft_template_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS monitors) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    INSERT INTO monitors (id, organization_id, project_id, created_at, updated_at, name, key, description, stale_after_seconds, draft_template_id)
    VALUES ($1, $2, $3, $4, $5, $6::text, $7::text, $8::text, $9::integer, $10::uuid)
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $11::uuid, $12::text, $13::text, $14::uuid, $15::text, $16::text, $17::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, name AS name, key AS key, description AS description, stale_after_seconds AS stale_after_seconds, draft_template_id AS draft_template_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS monitors) AS changed
  )
  SELECT id, name, key, description, stale_after_seconds, draft_template_id, project_id, created_at, updated_at FROM written AS monitors;
