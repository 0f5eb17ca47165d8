-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM incident_drafts
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING id;

DELETE FROM incident_updates WHERE organization_id = $1 AND incident_id = $2 AND id = $3;

DELETE FROM incidents WHERE organization_id = $1 AND id = $2 RETURNING status_page_ids;

INSERT INTO incident_drafts (id, organization_id, project_id, created_at, updated_at, monitor_id, title, body, status, monitors, affects_monitors)
    VALUES ($1, $2, $3, $4, $5, $6::uuid, $7::text, $8::text, $9::text, $10::jsonb, $11::boolean)
RETURNING id, title, body, status, monitors, monitor_id, project_id, created_at, updated_at;

INSERT INTO incident_impacts (organization_id, incident_id, monitor_id, status, started_at, ended_at)
SELECT $1::uuid, $2::uuid, monitor_id, status, started_at, ended_at
  FROM unnest($3::uuid[], $4::monitor_status[], $5::timestamptz[], $6::timestamptz[])
    AS added (monitor_id, status, started_at, ended_at);

INSERT INTO incident_updates (id, organization_id, incident_id, status, body, monitors, posted_at, created_at, updated_at)
SELECT id, organization_id, incident_id, status, body, monitors, posted_at, created_at, updated_at FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, organization_id uuid, incident_id uuid, status text, body text, monitors jsonb, posted_at timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone);

INSERT INTO incidents (id, organization_id, project_id, created_at, updated_at, title, status, impact, set_impact, monitors, started_at, resolved_at, affects_monitors, status_page_ids, postmortem, is_notified)
SELECT id, organization_id, project_id, created_at, updated_at, title, status, impact, set_impact, monitors, started_at, resolved_at, affects_monitors, status_page_ids, postmortem, is_notified FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, organization_id uuid, project_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone, title text, status text, impact text, set_impact text, monitors jsonb, started_at timestamp with time zone, resolved_at timestamp with time zone, affects_monitors boolean, status_page_ids uuid[], postmortem text, is_notified boolean);

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.title AS title, resource.body AS body, resource.status AS status, resource.monitors AS monitors, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, title, body, status, monitors, project_id, created_at, updated_at
       FROM incident_templates
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.title AS title, resource.body AS body, resource.status AS status, resource.monitors AS monitors, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, title, body, status, monitors, project_id, created_at, updated_at
       FROM incident_templates
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.status AS status, resource.body AS body, resource.monitors AS monitors, to_char(resource.posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, resource.incident_id AS incident_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, status, body, monitors, posted_at, incident_id, created_at, updated_at
       FROM incident_updates
      WHERE organization_id = $1 AND incident_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.body AS body, resource.status AS status, resource.monitors AS monitors, resource.monitor_id AS monitor_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, title, body, status, monitors, monitor_id, project_id, created_at, updated_at
       FROM incident_drafts
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.body AS body, resource.status AS status, resource.monitors AS monitors, resource.monitor_id AS monitor_id, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, title, body, status, monitors, monitor_id, project_id, created_at, updated_at
       FROM incident_drafts
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.status AS status, resource.impact AS impact, resource.monitors AS monitors, to_char(resource.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started_at, to_char(resource.resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS resolved_at, resource.status_page_ids AS status_page_ids, resource.postmortem AS postmortem, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, title, status, impact, monitors, started_at, resolved_at, status_page_ids, postmortem, project_id, created_at, updated_at
       FROM incidents
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.status AS status, resource.impact AS impact, resource.monitors AS monitors, to_char(resource.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started_at, to_char(resource.resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS resolved_at, resource.status_page_ids AS status_page_ids, resource.postmortem AS postmortem, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, title, status, impact, monitors, started_at, resolved_at, status_page_ids, postmortem, project_id, created_at, updated_at
       FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT id
 FROM incident_drafts
WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
ORDER BY id
  FOR UPDATE SKIP LOCKED;

SELECT id FROM incident_drafts
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT id FROM incident_drafts
WHERE organization_id = $1 AND project_id = $2 AND monitors @> $3::jsonb
ORDER BY id
  FOR NO KEY UPDATE;

SELECT id FROM incident_templates
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT id FROM incident_templates
WHERE organization_id = $1 AND project_id = $2 AND monitors @> $3::jsonb
ORDER BY id
  FOR NO KEY UPDATE;

SELECT id, organization_id, project_id, title, impact, set_impact, affects_monitors, started_at, updated_at, coalesce(incidents.is_notified, EXISTS (
SELECT FROM events
 WHERE events.organization_id = incidents.organization_id AND events.resource_id = incidents.id AND events.is_notified)) AS is_notified, postmortem IS NOT NULL OR EXISTS (
SELECT FROM events
 WHERE events.organization_id = incidents.organization_id AND events.resource_id = incidents.id AND events.type = 'incident.postmortem_published') AS has_published_postmortem FROM incidents
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
      FOR UPDATE;

SELECT id, status, monitors, posted_at, created_at, updated_at
 FROM incident_updates
WHERE organization_id = $1 AND incident_id = $2
ORDER BY created_at, id;

SELECT id, title, status, impact, started_at, resolved_at, postmortem, created_at, updated_at,
            (SELECT json_agg(one) FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 100) AS one) AS updates,
            (SELECT coalesce(json_agg(one), '[]')
               FROM (
                      SELECT monitor_id, max(status) AS status, min(started_at) AS started_at,
                             CASE WHEN bool_or(ended_at IS NULL) THEN NULL ELSE max(ended_at) END AS ended_at,
                             max(status) FILTER (WHERE ended_at IS NULL OR ended_at > $5) AS current_status
                        FROM incident_impacts
                       WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
                         AND started_at <= $5
                       GROUP BY monitor_id
                    ) AS one) AS impacts
       FROM (
SELECT incident.*
  FROM (
         SELECT id FROM incidents
          WHERE organization_id = $1 AND status_page_ids @> ARRAY[$3::uuid]
          UNION
         SELECT incident_id FROM incident_impacts
          WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[])
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND project_id = $2
            AND NOT affects_monitors AND status_page_ids IS NULL
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND former_page_ids <> '{}'
            AND former_page_ids @> ARRAY[$3::uuid]
       ) AS candidate
 CROSS JOIN LATERAL (
         SELECT * FROM incidents WHERE organization_id = $1 AND id = candidate.id OFFSET 0
       ) AS incident
 WHERE project_id = $2 AND coalesce(status_page_ids @> ARRAY[$3::uuid], true) AND started_at <= $5 AND coalesce(resolved_at > $5, true) AND NOT (SELECT status FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 1) AS last) = 'resolved' ORDER BY started_at DESC, id DESC LIMIT 100) AS incident
      ORDER BY started_at DESC, id DESC;

SELECT id, title, status, impact, started_at, resolved_at, postmortem, created_at, updated_at,
            (SELECT json_agg(one) FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 2) AS one) AS updates,
            (SELECT coalesce(json_agg(one), '[]')
               FROM (
                      SELECT monitor_id, max(status) AS status, min(started_at) AS started_at,
                             CASE WHEN bool_or(ended_at IS NULL) THEN NULL ELSE max(ended_at) END AS ended_at,
                             max(status) FILTER (WHERE ended_at IS NULL OR ended_at > $5) AS current_status
                        FROM incident_impacts
                       WHERE organization_id = $1 AND incident_id = incident.id AND monitor_id = ANY($4::uuid[])
                         AND started_at <= $5
                       GROUP BY monitor_id
                    ) AS one) AS impacts
       FROM (
SELECT incident.*
  FROM (
         SELECT id FROM incidents
          WHERE organization_id = $1 AND status_page_ids @> ARRAY[$3::uuid]
          UNION
         SELECT incident_id FROM incident_impacts
          WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[])
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND project_id = $2
            AND NOT affects_monitors AND status_page_ids IS NULL
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND former_page_ids <> '{}'
            AND former_page_ids @> ARRAY[$3::uuid]
       ) AS candidate
 CROSS JOIN LATERAL (
         SELECT * FROM incidents WHERE organization_id = $1 AND id = candidate.id OFFSET 0
       ) AS incident
 WHERE project_id = $2 AND coalesce(status_page_ids @> ARRAY[$3::uuid], true) AND started_at <= $5 AND coalesce(resolved_at >= $6, true) AND (SELECT status FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 1) AS last) = 'resolved' ORDER BY started_at DESC, id DESC LIMIT 50) AS incident
      ORDER BY started_at DESC, id DESC;

SELECT incident.id, title, impact.monitor_id, max(impact.status) AS status, min(impact.started_at) AS started_at,
      CASE WHEN bool_or(impact.ended_at IS NULL) THEN NULL ELSE max(impact.ended_at) END AS ended_at
 FROM incident_impacts AS impact
 JOIN incidents AS incident ON incident.organization_id = $1 AND incident.id = impact.incident_id
WHERE impact.organization_id = $1 AND incident.project_id = $2 AND impact.monitor_id = ANY($4::uuid[])
  AND impact.started_at < $6 AND coalesce(impact.ended_at > greatest($5, impact.started_at), true)
  AND (status_page_ids IS NULL OR $3 = ANY(status_page_ids))
GROUP BY incident.id, title, impact.monitor_id
ORDER BY started_at DESC, incident.id DESC
LIMIT 2000;

SELECT incident.id, title, last.status, impact, named.monitors, started_at, incident.created_at, incident.updated_at,
            json_build_object('id', last.id, 'status', last.status, 'body', body, 'posted_at', posted_at) AS last_update
       FROM (
SELECT incident.*
  FROM (
         SELECT id FROM incidents
          WHERE organization_id = $1 AND status_page_ids @> ARRAY[$3::uuid]
          UNION
         SELECT incident_id FROM incident_impacts
          WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[])
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND project_id = $2
            AND NOT affects_monitors AND status_page_ids IS NULL
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND former_page_ids <> '{}'
            AND former_page_ids @> ARRAY[$3::uuid]
       ) AS candidate
 CROSS JOIN LATERAL (
         SELECT * FROM incidents WHERE organization_id = $1 AND id = candidate.id OFFSET 0
       ) AS incident
 WHERE project_id = $2 AND coalesce(status_page_ids @> ARRAY[$3::uuid], true) AND started_at <= $5 AND coalesce(resolved_at > $5, true) AND NOT (SELECT status FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 1) AS last) = 'resolved' ORDER BY started_at DESC, id DESC LIMIT 100) AS incident
      CROSS JOIN LATERAL (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC LIMIT 1) AS last
      CROSS JOIN LATERAL (
              SELECT coalesce((SELECT monitors FROM (
SELECT id, status, body, monitors, posted_at, created_at, updated_at
  FROM (
         SELECT *, row_number() OVER (ORDER BY created_at, id) = 1 AS is_first
           FROM incident_updates
          WHERE organization_id = $1 AND incident_id = incident.id
       ) AS one
 WHERE is_first OR posted_at <= $5
 ORDER BY CASE WHEN is_first THEN incident.started_at ELSE posted_at END DESC, created_at DESC, id DESC) AS one WHERE monitors IS NOT NULL LIMIT 1), '[]') AS monitors
            ) AS named
      ORDER BY started_at DESC, incident.id DESC;

SELECT min(change_at) AS next
       FROM (
              SELECT unnest(ARRAY[started_at, ended_at]) AS change_at
                FROM incident_impacts
               WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[]) AND (started_at > $5 OR ended_at > $5)
               UNION ALL
              SELECT unnest(ARRAY[started_at, posted_at])
                FROM (
SELECT incident.*
  FROM (
         SELECT id FROM incidents
          WHERE organization_id = $1 AND status_page_ids @> ARRAY[$3::uuid]
          UNION
         SELECT incident_id FROM incident_impacts
          WHERE organization_id = $1 AND monitor_id = ANY($4::uuid[])
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND project_id = $2
            AND NOT affects_monitors AND status_page_ids IS NULL
          UNION
         SELECT id FROM incidents
          WHERE organization_id = $1 AND former_page_ids <> '{}'
            AND former_page_ids @> ARRAY[$3::uuid]
       ) AS candidate
 CROSS JOIN LATERAL (
         SELECT * FROM incidents WHERE organization_id = $1 AND id = candidate.id OFFSET 0
       ) AS incident
 WHERE project_id = $2 AND coalesce(status_page_ids @> ARRAY[$3::uuid], true) AND updated_at > $5::timestamptz - interval '1 hour') AS incident
                JOIN incident_updates AS one ON one.organization_id = $1 AND one.incident_id = incident.id
            ) AS times
      WHERE change_at > $5;

SELECT monitor_id, incident_id, status
 FROM (
        SELECT monitor_id, incident_id, status,
               row_number() OVER (PARTITION BY monitor_id ORDER BY status DESC, incident_id) AS rank
          FROM incident_impacts
         WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
           AND started_at <= $3 AND (ended_at IS NULL OR ended_at > $3)
      ) AS impact
WHERE rank <= 100
ORDER BY monitor_id, incident_id;

SELECT monitor_id, status, started_at, ended_at
 FROM incident_impacts
WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[])
  AND started_at < $4 AND (ended_at IS NULL OR ended_at > greatest($3, started_at))
ORDER BY monitor_id, started_at;

SELECT organization_id, project_id FROM incident_drafts WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, project_id FROM incident_templates WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, project_id FROM incidents WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, project_id, title, body, status, monitors, affects_monitors, updated_at
 FROM incident_drafts
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, title AS title, body AS body, status AS status, monitors AS monitors, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM incident_templates WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, status AS status, body AS body, monitors AS monitors, to_char(posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, incident_id AS incident_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM incident_updates WHERE organization_id = $1 AND incident_id = $2 AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body, status AS status, monitors AS monitors, monitor_id AS monitor_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM incident_drafts WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, title AS title, status AS status, impact AS impact, monitors AS monitors, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started_at, to_char(resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS resolved_at, status_page_ids AS status_page_ids, postmortem AS postmortem, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM incidents WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

UPDATE incident_drafts
  SET monitors = jsonb_path_query_array(monitors, '$[*] ? (@.monitor_id != $id)', jsonb_build_object('id', $3::text)), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = ANY($2::uuid[]);

UPDATE incident_templates
  SET monitors = jsonb_path_query_array(monitors, '$[*] ? (@.monitor_id != $id)', jsonb_build_object('id', $3::text)), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = ANY($2::uuid[]);

UPDATE incident_updates
    SET (body) = ROW ($5::text),
        updated_at = CASE
          WHEN ROW (body) IS DISTINCT FROM ROW ($5::text)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND incident_id = $2 AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, status AS status, body AS body, monitors AS monitors, to_char(posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, incident_id AS incident_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE incident_updates
  SET monitors = jsonb_path_query_array(monitors, '$[*] ? (@.monitor_id != $id)', jsonb_build_object('id', $2::text)), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND monitors @> $3::jsonb;

UPDATE incidents
    SET (title, status, impact, set_impact, monitors, started_at, resolved_at, affects_monitors, status_page_ids, postmortem) = ROW ($5::text, $6::text, $7::text, $8::text, $9::jsonb, $10::timestamp with time zone, $11::timestamp with time zone, $12::boolean, $13::uuid[], $14::text),
        updated_at = CASE
          WHEN ROW (title, status, impact, set_impact, monitors, started_at, resolved_at, affects_monitors, status_page_ids, postmortem) IS DISTINCT FROM ROW ($5::text, $6::text, $7::text, $8::text, $9::jsonb, $10::timestamp with time zone, $11::timestamp with time zone, $12::boolean, $13::uuid[], $14::text)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, title AS title, status AS status, impact AS impact, monitors AS monitors, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started_at, to_char(resolved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS resolved_at, status_page_ids AS status_page_ids, postmortem AS postmortem, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE incidents
  SET monitors = jsonb_path_query_array(monitors, '$[*] ? (@.monitor_id != $id)', jsonb_build_object('id', $3::text)), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND monitors @> $4::jsonb;

UPDATE incidents
  SET status = $3, impact = $4, monitors = $5, resolved_at = $6, affects_monitors = $7, started_at = $8,
      is_notified = $9, updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND id = $2;

WITH former AS (
    SELECT id AS former_id, name AS former_name, title AS former_title, body AS former_body, status AS former_status, monitors AS former_monitors
      FROM incident_templates
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE incident_templates
       SET (name, title, body, status, monitors, affects_monitors) = ROW ($5::text, $6::text, $7::text, $8::text, $9::jsonb, $10::boolean),
        updated_at = CASE
          WHEN ROW (name, title, body, status, monitors, affects_monitors) IS DISTINCT FROM ROW ($5::text, $6::text, $7::text, $8::text, $9::jsonb, $10::boolean)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, title AS title, body AS body, status AS status, monitors AS monitors, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, name AS next_name, title AS next_title, body AS next_body, status AS next_status, monitors AS next_monitors
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('name', to_jsonb(former_name), to_jsonb(next_name)), ('title', to_jsonb(former_title), to_jsonb(next_title)), ('body', to_jsonb(former_body), to_jsonb(next_body)), ('status', to_jsonb(former_status), to_jsonb(next_status)), ('monitors', to_jsonb(former_monitors), to_jsonb(next_monitors))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $11::uuid, $12::text, $13::text, $14::uuid, $15::text, $16::text, $17::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH former AS (
    SELECT id AS former_id, title AS former_title, body AS former_body, status AS former_status, monitors AS former_monitors
      FROM incident_drafts
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE incident_drafts
       SET (title, body, status, monitors, affects_monitors) = ROW ($5::text, $6::text, $7::text, $8::jsonb, $9::boolean),
        updated_at = CASE
          WHEN ROW (title, body, status, monitors, affects_monitors) IS DISTINCT FROM ROW ($5::text, $6::text, $7::text, $8::jsonb, $9::boolean)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body, status AS status, monitors AS monitors, monitor_id AS monitor_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, title AS next_title, body AS next_body, status AS next_status, monitors AS next_monitors
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('title', to_jsonb(former_title), to_jsonb(next_title)), ('body', to_jsonb(former_body), to_jsonb(next_body)), ('status', to_jsonb(former_status), to_jsonb(next_status)), ('monitors', to_jsonb(former_monitors), to_jsonb(next_monitors))) AS field (name, former, next)
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
    DELETE FROM incident_drafts
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
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body, status AS status, monitors AS monitors, monitor_id AS monitor_id, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS incident_drafts) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    DELETE FROM incident_templates
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
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, name AS name, title AS title, body AS body, status AS status, monitors AS monitors, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS incident_templates) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    INSERT INTO incident_templates (id, organization_id, project_id, created_at, updated_at, name, title)
    VALUES ($1, $2, $3, $4, $5, $6::text, $7::text)
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $8::uuid, $9::text, $10::text, $11::uuid, $12::text, $13::text, $14::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN  coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, name AS name, title AS title, body AS body, status AS status, monitors AS monitors, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS incident_templates) AS changed
  )
  SELECT id, name, title, body, status, monitors, project_id, created_at, updated_at FROM written AS incident_templates;
