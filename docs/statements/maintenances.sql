-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM maintenance_updates
    WHERE organization_id = $1 AND maintenance_id = $2 AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING id;

INSERT INTO maintenance_updates (id, organization_id, maintenance_id, body, posted_at, created_at, updated_at)
SELECT id, organization_id, maintenance_id, body, posted_at, created_at, updated_at FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, organization_id uuid, maintenance_id uuid, body text, posted_at timestamp with time zone, created_at timestamp with time zone, updated_at timestamp with time zone);

INSERT INTO maintenances (id, organization_id, project_id, created_at, updated_at, title, starts_at, ends_at, monitor_ids, closed_as, closed_at, is_notified)
      VALUES ($1, $2, $3, $4, $5, $6::text, $7::timestamp with time zone, $8::timestamp with time zone, $9::uuid[], $10::text, $11::timestamp with time zone, $12::boolean)
  RETURNING id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at;

INSERT INTO maintenances (id, organization_id, project_id, created_at, updated_at, title, starts_at, ends_at, monitor_ids, status_page_ids, closed_as, closed_at, is_notified)
      VALUES ($1, $2, $3, $4, $5, $6::text, $7::timestamp with time zone, $8::timestamp with time zone, $9::uuid[], $10::uuid[], $11::text, $12::timestamp with time zone, $13::boolean)
  RETURNING id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at;

SELECT 
id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at
       FROM maintenances
      WHERE organization_id = $1 AND project_id = $2 AND closed_as IS NULL AND ends_at > statement_timestamp() AND starts_at < $5
        AND (status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND (monitor_ids && $4::uuid[] OR monitor_ids = '{}')
         OR former_page_ids @> ARRAY[$3::uuid])
      ORDER BY starts_at, id
      LIMIT 100;

SELECT 
id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at, LEAST(ends_at, closed_at) AS ended_at,
            (SELECT coalesce(json_agg(one), '[]')
               FROM (
                      SELECT id, body, posted_at, created_at, updated_at
                        FROM maintenance_updates
                       WHERE organization_id = $1 AND maintenance_id = maintenances.id AND posted_at <= $5
                       ORDER BY posted_at DESC, created_at DESC, id DESC
                       LIMIT 100
                    ) AS one) AS updates
       FROM maintenances
      WHERE organization_id = $1 AND project_id = $2 AND closed_as IS NULL AND ends_at > statement_timestamp() AND starts_at < $6
        AND (status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND (monitor_ids && $4::uuid[] OR monitor_ids = '{}')
         OR former_page_ids @> ARRAY[$3::uuid])
      ORDER BY starts_at, id
      LIMIT 100;

SELECT 
id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at, LEAST(ends_at, closed_at) AS ended_at,
            (SELECT coalesce(json_agg(one), '[]')
               FROM (
                      SELECT id, body, posted_at, created_at, updated_at
                        FROM maintenance_updates
                       WHERE organization_id = $1 AND maintenance_id = maintenances.id AND posted_at <= $5
                       ORDER BY posted_at DESC, created_at DESC, id DESC
                       LIMIT 2
                    ) AS one) AS updates
       FROM maintenances
      WHERE organization_id = $1 AND project_id = $2 AND starts_at < statement_timestamp() AND LEAST(ends_at, closed_at) BETWEEN $6 AND GREATEST(statement_timestamp(), updated_at)
        AND (status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND (monitor_ids && $4::uuid[] OR monitor_ids = '{}')
         OR former_page_ids @> ARRAY[$3::uuid])
      ORDER BY starts_at DESC, id DESC
      LIMIT 50;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
           CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
           CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
      FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.body AS body, resource.status AS status, to_char(resource.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS starts_at, to_char(resource.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ends_at, resource.monitor_ids AS monitor_ids, resource.status_page_ids AS status_page_ids, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
              FROM (
         SELECT id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at
           FROM maintenances
          WHERE organization_id = $1 AND project_id = $2
          ORDER BY created_at DESC, id DESC
          LIMIT $3::int + 1) AS resource
           ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
           CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
           CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
      FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.title AS title, resource.body AS body, resource.status AS status, to_char(resource.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS starts_at, to_char(resource.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ends_at, resource.monitor_ids AS monitor_ids, resource.status_page_ids AS status_page_ids, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
              FROM (
         SELECT id, title, body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, starts_at, ends_at, monitor_ids, status_page_ids, project_id, created_at,
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AS updated_at
           FROM maintenances
          WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
          ORDER BY created_at DESC, id DESC
          LIMIT $3::int + 1) AS resource
           ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.body AS body, to_char(resource.posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, resource.maintenance_id AS maintenance_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, body, posted_at, maintenance_id, created_at, updated_at
       FROM maintenance_updates
      WHERE organization_id = $1 AND maintenance_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT count(*)::int AS count, max(created_at) AS last FROM maintenance_updates WHERE organization_id = $1 AND maintenance_id = $2;

SELECT min(change_at) AS next
FROM (
       SELECT change_at
         FROM maintenances
        CROSS JOIN LATERAL (VALUES (starts_at), (LEAST(ends_at, closed_at))) AS times (change_at)
        WHERE organization_id = $1 AND project_id = $2 AND ends_at > $5 AND LEAST(ends_at, closed_at) > $5 AND change_at > $5
          AND ((status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND (monitor_ids && $4::uuid[] OR monitor_ids = '{}')
  OR former_page_ids @> ARRAY[$3::uuid]) OR monitor_ids && $4::uuid[])
        UNION ALL
       SELECT posted_at
         FROM maintenance_updates AS posted
         JOIN maintenances ON maintenances.organization_id = $1 AND maintenances.id = maintenance_id
        WHERE posted.organization_id = $1 AND posted_at > $5 AND project_id = $2 AND (status_page_ids @> ARRAY[$3::uuid] OR status_page_ids IS NULL AND (monitor_ids && $4::uuid[] OR monitor_ids = '{}')
  OR former_page_ids @> ARRAY[$3::uuid])
     ) AS changes;

SELECT monitor_id, 'under_maintenance' AS status, starts_at AS started_at, LEAST(ends_at, closed_at) AS ended_at
 FROM maintenances
CROSS JOIN unnest(monitor_ids) AS monitor_id
WHERE organization_id = $1 AND monitor_ids && $2::uuid[] AND monitor_id = ANY($2::uuid[])
  AND starts_at < $4 AND LEAST(ends_at, closed_at) > GREATEST(starts_at, $3)
ORDER BY monitor_id, starts_at, id;

SELECT monitor_id, id AS maintenance_id
 FROM (
        SELECT monitor_id, id, row_number() OVER (PARTITION BY monitor_id ORDER BY starts_at, id) AS rank
          FROM maintenances
         CROSS JOIN unnest(monitor_ids) AS monitor_id
         WHERE organization_id = $1 AND monitor_ids && $2::uuid[] AND monitor_id = ANY($2::uuid[])
           AND starts_at <= $3 AND LEAST(ends_at, closed_at) > $3
      ) AS active
WHERE rank <= 100
ORDER BY monitor_id, rank;

SELECT organization_id, project_id FROM maintenances WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, project_id, starts_at, ends_at, monitor_ids, closed_as, closed_at, 
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, coalesce(maintenances.is_notified, EXISTS (
  SELECT FROM events
   WHERE events.organization_id = maintenances.organization_id AND events.resource_id = maintenances.id AND events.is_notified)) AS is_notified, date_trunc('milliseconds', statement_timestamp()) AS now FROM maintenances
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) = ANY($4::timestamptz[]))
        FOR UPDATE;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, body AS body, to_char(posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, maintenance_id AS maintenance_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM maintenance_updates WHERE organization_id = $1 AND maintenance_id = $2 AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body, 
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS starts_at, to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ends_at, monitor_ids AS monitor_ids, status_page_ids AS status_page_ids, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM maintenances WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

UPDATE maintenance_updates
    SET (body) = ROW ($5::text),
        updated_at = CASE
          WHEN ROW (body) IS DISTINCT FROM ROW ($5::text)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
    WHERE organization_id = $1 AND maintenance_id = $2 AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
RETURNING row_to_json((SELECT output FROM (SELECT id AS id, body AS body, to_char(posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS posted_at, maintenance_id AS maintenance_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE maintenances
      SET (title, body, starts_at, ends_at, monitor_ids, status_page_ids, former_page_ids, closed_as, closed_at) = ROW ($5::text, $6::text, $7::timestamp with time zone, $8::timestamp with time zone, $9::uuid[], $10::uuid[], $11::uuid[], $12::text, $13::timestamp with time zone),
          updated_at = CASE
            WHEN ROW (title, body, starts_at, ends_at, monitor_ids, status_page_ids, former_page_ids, closed_as, closed_at) IS DISTINCT FROM ROW ($5::text, $6::text, $7::timestamp with time zone, $8::timestamp with time zone, $9::uuid[], $10::uuid[], $11::uuid[], $12::text, $13::timestamp with time zone)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()),
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) + interval '1 millisecond')
            ELSE updated_at
          END
      WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) = ANY($4::timestamptz[]))
  RETURNING row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS starts_at, to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ends_at, monitor_ids AS monitor_ids, status_page_ids AS status_page_ids, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version;

UPDATE maintenances SET updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), 
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) + interval '1 millisecond') WHERE organization_id = $1 AND id = $2;

WITH written AS (
      DELETE FROM maintenances
       WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) = ANY($4::timestamptz[]))
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
            FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, title AS title, body AS body,
CASE
  WHEN closed_as IS NOT NULL THEN closed_as
  WHEN GREATEST(statement_timestamp(), updated_at) < starts_at THEN 'scheduled'
  WHEN GREATEST(statement_timestamp(), updated_at) < ends_at THEN 'in_progress'
  ELSE 'completed'
END AS status, to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS starts_at, to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ends_at, monitor_ids AS monitor_ids, status_page_ids AS status_page_ids, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
           WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
             FROM written AS maintenances) AS changed
    )
    SELECT id FROM written;
