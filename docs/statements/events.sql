-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM events
 WHERE organization_id = $1 AND resource_id = $2 AND created_at > statement_timestamp()
   AND (is_planned OR created_at > statement_timestamp() + interval '1 minute') -- of an older version
RETURNING is_notified;

INSERT INTO events (id, organization_id, project_id, type, resource_id, update_id, data, changes, actor_type, actor_id, actor_name, via,
                       request_id, created_at, is_notified, is_planned, due_at, email_due_at)
   SELECT id, organization_id, project_id, type, resource_id, update_id, data, changes, actor_type, actor_id, actor_name, via, request_id,
          coalesce(planned_at, statement_timestamp()), is_notified, planned_at IS NOT NULL,
          CASE WHEN NOT is_notified THEN NULL
               WHEN planned_at IS NOT NULL THEN planned_at
               WHEN EXISTS (
SELECT FROM webhook_endpoints AS endpoint
 WHERE endpoint.organization_id = new.organization_id AND endpoint.project_id = new.project_id
   AND endpoint.status = 'enabled') THEN statement_timestamp()
               ELSE email_due_at
          END, email_due_at
     FROM (SELECT *, statement_timestamp() + email_after_ms * interval '1 millisecond' AS email_due_at
             FROM jsonb_to_recordset($1::jsonb)
                  AS row (id uuid, organization_id uuid, project_id uuid, type text, resource_id uuid, update_id uuid,
                          data jsonb, changes jsonb, actor_type text, actor_id uuid, actor_name text, via text, request_id uuid, is_notified boolean, planned_at timestamptz, email_after_ms integer)) AS new;

SELECT coalesce(array_to_json((array_agg(json))[:$4]), '[]')::text AS text,
         CASE WHEN count(*) > $4 THEN (array_agg(created_at))[$4] END AS created_at,
         CASE WHEN count(*) > $4 THEN (array_agg(id))[$4] END AS id
    FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.type AS type, resource.resource_type AS resource_type, resource.project_id AS project_id, resource.resource_id AS resource_id, resource.update_id AS update_id, resource.data AS data, resource.changes AS changes, resource.actor AS actor, resource.via AS via, resource.request_id AS request_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
            FROM (
SELECT id, type, split_part(type, '.', 1) AS resource_type, project_id, resource_id, update_id, data, changes, CASE WHEN actor_type IS NOT NULL
                THEN json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) END AS actor, via, request_id, created_at
  FROM events
 WHERE organization_id = $1 AND id = ANY(ARRAY(SELECT id FROM (
SELECT one.id, one.created_at
  FROM (SELECT type, project_id FROM unnest($2::text[]) AS kind (type), unnest($3::uuid[]) AS owner (project_id), LATERAL (SELECT id, created_at FROM events WHERE organization_id = $1 AND created_at <= statement_timestamp() AND type = kind.type AND project_id = owner.project_id ORDER BY created_at DESC, id DESC LIMIT 1) AS newest ORDER BY created_at DESC, id DESC LIMIT $4::int + 1) AS part,
       LATERAL (SELECT id, created_at FROM events WHERE organization_id = $1 AND created_at <= statement_timestamp() AND type = part.type AND project_id = part.project_id ORDER BY created_at DESC, id DESC LIMIT $4::int + 1) AS one ) AS found ORDER BY created_at DESC, id DESC LIMIT $4::int + 1))
       AND project_id = ANY($3::uuid[])
 ORDER BY created_at DESC, id DESC) AS resource
         ) AS rows;

SELECT id, organization_id, project_id, type, resource_id, update_id, data, created_at
 FROM events
WHERE organization_id = $1 AND project_id = $2 AND created_at >= $3 AND created_at <= statement_timestamp()
  AND is_notified AND type = ANY($4::text[])
ORDER BY created_at, id
LIMIT $5;

UPDATE events SET due_at = NULL, is_notified = false
WHERE organization_id = $1 AND resource_id = ANY($2::uuid[]);

WITH counted AS (SELECT FROM events WHERE organization_id = $1 AND project_id = $2 AND created_at >= $3 AND created_at <= statement_timestamp()
AND is_notified AND type = ANY($4::text[]) LIMIT $5) SELECT count(*)::integer AS count FROM counted;

WITH counted AS (SELECT FROM events WHERE organization_id = $1 AND project_id = $2 AND type = $3 AND created_at >= $4 LIMIT $5) SELECT count(*)::integer AS count FROM counted;
