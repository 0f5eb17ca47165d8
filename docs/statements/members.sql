-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM member_links WHERE organization_id = $1 AND member_id = $2;

DELETE FROM member_passkeys WHERE organization_id = $1 AND member_id = $2;

DELETE FROM member_sessions WHERE organization_id = $1 AND member_id = $2 AND id IS DISTINCT FROM $3::uuid;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.email AS email, resource.name AS name, resource.role AS role, resource.project_ids AS project_ids, resource.status AS status, to_char(resource.last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, email, name, role, project_ids, status, last_seen_at, created_at, updated_at
       FROM members
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[])
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.email AS email, resource.name AS name, resource.role AS role, resource.project_ids AS project_ids, resource.status AS status, to_char(resource.last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, email, name, role, project_ids, status, last_seen_at, created_at, updated_at
       FROM members
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id, organization_id, email, name, role, project_ids, status FROM members
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, email AS email, name AS name, role AS role, project_ids AS project_ids, status AS status, to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM members WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3;

WITH counted AS (SELECT FROM members WHERE organization_id = $1 LIMIT $2) SELECT count(*)::integer AS count FROM counted;

WITH former AS (
    SELECT id AS former_id, name AS former_name, role AS former_role, project_ids AS former_project_ids, status AS former_status
      FROM members
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE members
       SET (name, role, project_ids, status) = ROW ($5::text, $6::text, $7::uuid[], $8::text),
        updated_at = CASE
          WHEN ROW (name, role, project_ids, status) IS DISTINCT FROM ROW ($5::text, $6::text, $7::uuid[], $8::text)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, email AS email, name AS name, role AS role, project_ids AS project_ids, status AS status, to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, NULL::uuid AS own_project_id, id, former.*, name AS next_name, role AS next_role, project_ids AS next_project_ids, status AS next_status
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('email') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('name', to_jsonb(former_name), to_jsonb(next_name)), ('role', to_jsonb(former_role), to_jsonb(next_role)), ('project_ids', to_jsonb(former_project_ids), to_jsonb(next_project_ids)), ('status', to_jsonb(former_status), to_jsonb(next_status))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $9::uuid, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH written AS (
    DELETE FROM members
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_ids <@ $2::uuid[]) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::text, $11::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, NULL::uuid AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('email') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, value AS former, NULL::jsonb AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, email AS email, name AS name, role AS role, project_ids AS project_ids, status AS status, to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS members) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    INSERT INTO members (id, organization_id, created_at, updated_at, email, name, role, project_ids)
    VALUES ($1, $2, $3, $4, $5::text, $6::text, $7::text, $8::uuid[])
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $9::uuid, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, NULL::uuid AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('email') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, email AS email, name AS name, role AS role, project_ids AS project_ids, status AS status, to_char(last_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last_seen_at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS members) AS changed
  )
  SELECT id, email, name, role, project_ids, status, last_seen_at, created_at, updated_at FROM written AS members;
