-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

(SELECT slug FROM status_pages WHERE slug = ANY($1))
UNION ALL (SELECT slug FROM former_slugs WHERE slug = ANY($1) AND created_at > now() - interval '1 year');

DELETE FROM deleted_status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND restorable_until > now() RETURNING id;

DELETE FROM preview_links
WHERE organization_id = $1 AND status_page_id = $2
  AND (expires_at <= clock_timestamp() OR token_hash IN (
        SELECT token_hash
          FROM preview_links
         WHERE organization_id = $1 AND status_page_id = $2
         ORDER BY created_at DESC, token_hash
        OFFSET $3
      ));

DELETE FROM status_page_revisions
 WHERE organization_id = $1 AND status_page_id = $2 AND number <= $3::int - 1000;

INSERT INTO preview_links (organization_id, status_page_id, token_hash, created_at, expires_at)
VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(hours => $4))
RETURNING expires_at;

SELECT EXISTS (SELECT FROM status_pages WHERE slug = $2 AND id IS DISTINCT FROM $1)
  OR is_former_slug_of_others($2, $4) AS slug,
EXISTS (SELECT FROM status_pages
         WHERE organization_id = $4 AND custom_domain = $3 AND id IS DISTINCT FROM $1) AS custom_domain;

SELECT FROM preview_links WHERE organization_id = $1 AND status_page_id = $2 ORDER BY token_hash FOR UPDATE;

SELECT FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 FOR NO KEY UPDATE;

SELECT FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 FOR UPDATE;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.slug AS slug, resource.is_public AS is_public, resource.description AS description, resource.accent_color AS accent_color, resource.show_powered_by AS show_powered_by, resource.show_history AS show_history, resource.history_days AS history_days, resource.rss_enabled AS rss_enabled, resource.subscribe_enabled AS subscribe_enabled, resource.custom_domain AS custom_domain, resource.sections AS sections, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at
       FROM status_pages
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.slug AS slug, resource.is_public AS is_public, resource.description AS description, resource.accent_color AS accent_color, resource.show_powered_by AS show_powered_by, resource.show_history AS show_history, resource.history_days AS history_days, resource.rss_enabled AS rss_enabled, resource.subscribe_enabled AS subscribe_enabled, resource.custom_domain AS custom_domain, resource.sections AS sections, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at
       FROM status_pages
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.name AS name, resource.slug AS slug, resource.project_id AS project_id, to_char(resource.deleted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS deleted_at, to_char(resource.restorable_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS restorable_until) AS output)) AS json, id, created_at
          FROM (SELECT id, name, slug, project_id, deleted_at, restorable_until, deleted_at AS created_at
   FROM deleted_status_pages
  WHERE organization_id = $1 AND project_id = $2 AND restorable_until > now()
  ORDER BY deleted_at DESC, id DESC
  LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$4]), '[]')::text AS text,
       CASE WHEN count(*) > $4 THEN (array_agg(created_at))[$4] END AS created_at,
       CASE WHEN count(*) > $4 THEN (array_agg(id))[$4] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.number AS number, resource.operation AS operation, resource.changed_fields AS changed_fields, resource.actor AS actor, resource.api_key AS api_key, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at) AS output)) AS json, id, created_at
          FROM (SELECT number, operation, changed_fields, json_build_object(
                'type', coalesce(actor_type, CASE WHEN api_key_id IS NULL THEN 'command_line' ELSE 'api_key' END),
                'id', coalesce(actor_id, api_key_id),
                'name', coalesce(actor_name, api_key_name, 'cli')) AS actor, CASE WHEN api_key_id IS NOT NULL
                THEN json_build_object('id', api_key_id, 'name', api_key_name) END AS api_key, created_at, lpad(to_hex(number), 32, '0')::uuid AS id
   FROM status_page_revisions
  WHERE organization_id = $1 AND status_page_id = $2 AND number > $3::integer - 1000 AND created_at > now() - interval '365 days'
  ORDER BY number DESC
  LIMIT $4::int + 1) AS resource
       ) AS rows;

SELECT id
 FROM status_pages
WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
LIMIT 10000;

SELECT id
 FROM status_pages
WHERE organization_id = $1 AND project_id = $2 AND sections @> $3::jsonb
ORDER BY id
  FOR NO KEY UPDATE;

SELECT id FROM incidents WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) AND cardinality(status_page_ids) < 100 ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM incidents WHERE organization_id = $1 AND project_id = $2 AND id IN (
SELECT incident_id FROM incident_updates WHERE organization_id = $1 AND monitors @> $3::jsonb) ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM incidents WHERE organization_id = $1 AND project_id = $2 AND status_page_ids @> ARRAY[$3::uuid] ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM maintenances WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) AND cardinality(status_page_ids) < 100 ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM maintenances WHERE organization_id = $1 AND project_id = $2 AND monitor_ids @> ARRAY[$3::uuid] ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM maintenances WHERE organization_id = $1 AND project_id = $2 AND status_page_ids @> ARRAY[$3::uuid] ORDER BY id FOR NO KEY UPDATE;

SELECT id FROM status_pages WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR KEY SHARE;

SELECT id, organization_id, project_id FROM status_pages
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR UPDATE;

SELECT id, organization_id, project_id, revision, page, named_by, deleted_at
 FROM deleted_status_pages
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND restorable_until > now();

SELECT id, slug, organization_id, project_id, created_at FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, id, revision FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, project_id FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT organization_id, status_page_id
 FROM preview_links
WHERE token_hash = $1 AND expires_at > clock_timestamp();

SELECT page.id, page.slug, page.organization_id, page.project_id,
     extract(epoch FROM updated_at) || ':' || coalesce(version, 0) AS version FROM status_pages AS page
LEFT JOIN page_versions AS versions
       ON versions.organization_id = page.organization_id AND versions.project_id = page.project_id WHERE id = $1;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

UPDATE incidents SET status_page_ids = array_append(status_page_ids, $4::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

UPDATE incidents SET status_page_ids = array_remove(status_page_ids, $4::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

UPDATE maintenances SET monitor_ids = array_remove(monitor_ids, $4::uuid),
            status_page_ids = CASE WHEN status_page_ids IS NULL AND monitor_ids = ARRAY[$4::uuid] THEN '{}' ELSE status_page_ids END, updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()),
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) + interval '1 millisecond')
      WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

UPDATE maintenances SET status_page_ids = array_append(status_page_ids, $4::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), 
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) + interval '1 millisecond')
      WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

UPDATE maintenances SET status_page_ids = array_remove(status_page_ids, $4::uuid), updated_at = GREATEST(date_trunc('milliseconds', clock_timestamp()), 
GREATEST(
  updated_at,
  CASE WHEN closed_as IS NULL AND starts_at <= GREATEST(statement_timestamp(), updated_at) THEN starts_at END,
  CASE WHEN closed_as IS NULL AND ends_at <= GREATEST(statement_timestamp(), updated_at) THEN ends_at END
) + interval '1 millisecond')
      WHERE organization_id = $1 AND project_id = $2 AND id = ANY($3::uuid[]);

WITH gone AS (
       DELETE FROM status_pages
        WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), deleted AS (
       SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision + 1 AS next_revision, GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond') AS deleted_at FROM gone
     ), kept AS (
       INSERT INTO deleted_status_pages (id, organization_id, project_id, name, slug, revision, page, named_by, deleted_at,
                                         restorable_until)
       SELECT id, organization_id, project_id, name, slug, next_revision, row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::jsonb, $10::jsonb, deleted_at,
              deleted_at + make_interval(days => $11)
         FROM deleted
     ), last AS (
       SELECT organization_id, project_id, id, name, next_revision AS revision, deleted_at AS updated_at FROM deleted
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $4, $5::text, $6::uuid, $7::text,
         CASE WHEN $5::text = 'api_key' THEN $6::uuid END, CASE WHEN $5::text = 'api_key' THEN $7::text END, '{}', '{}'
    FROM last), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.deleted', id, jsonb_build_object('revision', revision, 'name', name), $5::text, $6::uuid,
         $7::text, $8::text, $9::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM last) AS page)
     SELECT id FROM deleted;

WITH inserted AS (
       INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, name, slug)
       VALUES ($1, $2, $3, $4, $5, $6, $15::text, $16::text)
       ON CONFLICT DO NOTHING
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $7, $8::text, $9::uuid, $10::text,
         CASE WHEN $8::text = 'api_key' THEN $9::uuid END, CASE WHEN $8::text = 'api_key' THEN $10::text END, $13::text[], $14::jsonb
    FROM inserted), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.created', id, jsonb_build_object('revision', revision), $8::text, $9::uuid,
         $10::text, $11::text, $12::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM inserted) AS page), outdated AS (
       DELETE FROM status_page_revisions
        WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - 1000
     )
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at FROM inserted;

WITH inserted AS (
       INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, name, slug, custom_domain, sections)
       VALUES ($1, $2, $3, $4, $5, $6, $15::text, $16::text, $17::text, $18::jsonb)
       ON CONFLICT DO NOTHING
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $7, $8::text, $9::uuid, $10::text,
         CASE WHEN $8::text = 'api_key' THEN $9::uuid END, CASE WHEN $8::text = 'api_key' THEN $10::text END, $13::text[], $14::jsonb
    FROM inserted), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.created', id, jsonb_build_object('revision', revision), $8::text, $9::uuid,
         $10::text, $11::text, $12::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM inserted) AS page), outdated AS (
       DELETE FROM status_page_revisions
        WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - 1000
     )
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at FROM inserted;

WITH inserted AS (
       INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, name, slug, description, sections)
       VALUES ($1, $2, $3, $4, $5, $6, $15::text, $16::text, $17::text, $18::jsonb)
       ON CONFLICT DO NOTHING
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $7, $8::text, $9::uuid, $10::text,
         CASE WHEN $8::text = 'api_key' THEN $9::uuid END, CASE WHEN $8::text = 'api_key' THEN $10::text END, $13::text[], $14::jsonb
    FROM inserted), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.created', id, jsonb_build_object('revision', revision), $8::text, $9::uuid,
         $10::text, $11::text, $12::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM inserted) AS page), outdated AS (
       DELETE FROM status_page_revisions
        WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - 1000
     )
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at FROM inserted;

WITH inserted AS (
       INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections)
       VALUES ($1, $2, $3, $4, $5, $6, $15::text, $16::text, $17::boolean, $18::text, $19::text, $20::boolean, $21::boolean, $22::integer, $23::boolean, $24::boolean, $25::text, $26::jsonb)
       ON CONFLICT DO NOTHING
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $7, $8::text, $9::uuid, $10::text,
         CASE WHEN $8::text = 'api_key' THEN $9::uuid END, CASE WHEN $8::text = 'api_key' THEN $10::text END, $13::text[], $14::jsonb
    FROM inserted), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.restored', id, jsonb_build_object('revision', revision), $8::text, $9::uuid,
         $10::text, $11::text, $12::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM inserted) AS page), outdated AS (
       DELETE FROM status_page_revisions
        WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - 1000
     )
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at FROM inserted;

WITH inserted AS (
       INSERT INTO status_pages (id, organization_id, project_id, created_at, updated_at, revision, name, slug, sections)
       VALUES ($1, $2, $3, $4, $5, $6, $15::text, $16::text, $17::jsonb)
       ON CONFLICT DO NOTHING
       RETURNING id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at, organization_id, revision
     ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $7, $8::text, $9::uuid, $10::text,
         CASE WHEN $8::text = 'api_key' THEN $9::uuid END, CASE WHEN $8::text = 'api_key' THEN $10::text END, $13::text[], $14::jsonb
    FROM inserted), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.created', id, jsonb_build_object('revision', revision), $8::text, $9::uuid,
         $10::text, $11::text, $12::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM inserted) AS page), outdated AS (
       DELETE FROM status_page_revisions
        WHERE organization_id = $2 AND status_page_id = $1 AND number <= $6 - 1000
     )
     SELECT id, name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections, project_id, created_at, updated_at FROM inserted;

WITH old AS (
    SELECT id AS old_id, revision AS old_revision, name AS old_name
      FROM status_pages
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  ), updated AS (
    UPDATE status_pages
       SET (name) = ROW ($11::text),
          updated_at = CASE
            WHEN ROW (name) IS DISTINCT FROM ROW ($11::text)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END,
           revision = revision + CASE WHEN ROW (name) IS DISTINCT FROM ROW ($11::text) THEN 1 ELSE 0 END
      FROM old
     WHERE organization_id = $1 AND id = old_id AND revision = old_revision -- not a page restored since the lock
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id, id, revision, updated_at, old_revision,
              old_name, name AS new_name
  ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $5, $6::text, $7::uuid, $8::text,
         CASE WHEN $6::text = 'api_key' THEN $7::uuid END, CASE WHEN $6::text = 'api_key' THEN $8::text END, array_remove(ARRAY[CASE WHEN old_name IS DISTINCT FROM new_name THEN 'name' END], NULL), coalesce(CASE WHEN old_name IS DISTINCT FROM new_name THEN jsonb_build_object('name', old_name) END, '{}')
    FROM updated WHERE revision <> old_revision
  ), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.updated', id, jsonb_build_object('revision', revision), $6::text, $7::uuid,
         $8::text, $9::text, $10::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM updated WHERE revision <> old_revision) AS page
  )
  SELECT text, version, revision <> old_revision AND revision % 100 = 0 AS has_outdated, revision
    FROM updated;

WITH old AS (
    SELECT id AS old_id, revision AS old_revision, name AS old_name, is_public AS old_is_public, accent_color AS old_accent_color, sections AS old_sections
      FROM status_pages
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  ), updated AS (
    UPDATE status_pages
       SET (name, is_public, accent_color, sections) = ROW ($11::text, $12::boolean, $13::text, $14::jsonb),
          updated_at = CASE
            WHEN ROW (name, is_public, accent_color, sections) IS DISTINCT FROM ROW ($11::text, $12::boolean, $13::text, $14::jsonb)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END,
           revision = revision + CASE WHEN ROW (name, is_public, accent_color, sections) IS DISTINCT FROM ROW ($11::text, $12::boolean, $13::text, $14::jsonb) THEN 1 ELSE 0 END
      FROM old
     WHERE organization_id = $1 AND id = old_id AND revision = old_revision -- not a page restored since the lock
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id, id, revision, updated_at, old_revision,
              old_name, name AS new_name, old_is_public, is_public AS new_is_public, old_accent_color, accent_color AS new_accent_color, old_sections, sections AS new_sections
  ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $5, $6::text, $7::uuid, $8::text,
         CASE WHEN $6::text = 'api_key' THEN $7::uuid END, CASE WHEN $6::text = 'api_key' THEN $8::text END, array_remove(ARRAY[CASE WHEN old_name IS DISTINCT FROM new_name THEN 'name' END, CASE WHEN old_is_public IS DISTINCT FROM new_is_public THEN 'is_public' END, CASE WHEN old_accent_color IS DISTINCT FROM new_accent_color THEN 'accent_color' END, CASE WHEN old_sections IS DISTINCT FROM new_sections THEN 'sections' END], NULL), coalesce(CASE WHEN old_name IS DISTINCT FROM new_name THEN jsonb_build_object('name', old_name) END, '{}') || coalesce(CASE WHEN old_is_public IS DISTINCT FROM new_is_public THEN jsonb_build_object('is_public', old_is_public) END, '{}') || coalesce(CASE WHEN old_accent_color IS DISTINCT FROM new_accent_color THEN jsonb_build_object('accent_color', old_accent_color) END, '{}') || coalesce(CASE WHEN old_sections IS DISTINCT FROM new_sections THEN jsonb_build_object('sections', old_sections) END, '{}')
    FROM updated WHERE revision <> old_revision
  ), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.updated', id, jsonb_build_object('revision', revision), $6::text, $7::uuid,
         $8::text, $9::text, $10::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM updated WHERE revision <> old_revision) AS page
  )
  SELECT text, version, revision <> old_revision AND revision % 100 = 0 AS has_outdated, revision
    FROM updated;

WITH old AS (
    SELECT id AS old_id, revision AS old_revision, name AS old_name, slug AS old_slug, is_public AS old_is_public, description AS old_description, accent_color AS old_accent_color, show_powered_by AS old_show_powered_by, show_history AS old_show_history, history_days AS old_history_days, rss_enabled AS old_rss_enabled, subscribe_enabled AS old_subscribe_enabled, custom_domain AS old_custom_domain, sections AS old_sections
      FROM status_pages
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  ), updated AS (
    UPDATE status_pages
       SET (name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections) = ROW ($11::text, $12::text, $13::boolean, $14::text, $15::text, $16::boolean, $17::boolean, $18::integer, $19::boolean, $20::boolean, $21::text, $22::jsonb),
          updated_at = CASE
            WHEN ROW (name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections) IS DISTINCT FROM ROW ($11::text, $12::text, $13::boolean, $14::text, $15::text, $16::boolean, $17::boolean, $18::integer, $19::boolean, $20::boolean, $21::text, $22::jsonb)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END,
           revision = revision + CASE WHEN ROW (name, slug, is_public, description, accent_color, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain, sections) IS DISTINCT FROM ROW ($11::text, $12::text, $13::boolean, $14::text, $15::text, $16::boolean, $17::boolean, $18::integer, $19::boolean, $20::boolean, $21::text, $22::jsonb) THEN 1 ELSE 0 END
      FROM old
     WHERE organization_id = $1 AND id = old_id AND revision = old_revision -- not a page restored since the lock
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id, id, revision, updated_at, old_revision,
              old_name, name AS new_name, old_slug, slug AS new_slug, old_is_public, is_public AS new_is_public, old_description, description AS new_description, old_accent_color, accent_color AS new_accent_color, old_show_powered_by, show_powered_by AS new_show_powered_by, old_show_history, show_history AS new_show_history, old_history_days, history_days AS new_history_days, old_rss_enabled, rss_enabled AS new_rss_enabled, old_subscribe_enabled, subscribe_enabled AS new_subscribe_enabled, old_custom_domain, custom_domain AS new_custom_domain, old_sections, sections AS new_sections
  ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $5, $6::text, $7::uuid, $8::text,
         CASE WHEN $6::text = 'api_key' THEN $7::uuid END, CASE WHEN $6::text = 'api_key' THEN $8::text END, array_remove(ARRAY[CASE WHEN old_name IS DISTINCT FROM new_name THEN 'name' END, CASE WHEN old_slug IS DISTINCT FROM new_slug THEN 'slug' END, CASE WHEN old_is_public IS DISTINCT FROM new_is_public THEN 'is_public' END, CASE WHEN old_description IS DISTINCT FROM new_description THEN 'description' END, CASE WHEN old_accent_color IS DISTINCT FROM new_accent_color THEN 'accent_color' END, CASE WHEN old_show_powered_by IS DISTINCT FROM new_show_powered_by THEN 'show_powered_by' END, CASE WHEN old_show_history IS DISTINCT FROM new_show_history THEN 'show_history' END, CASE WHEN old_history_days IS DISTINCT FROM new_history_days THEN 'history_days' END, CASE WHEN old_rss_enabled IS DISTINCT FROM new_rss_enabled THEN 'rss_enabled' END, CASE WHEN old_subscribe_enabled IS DISTINCT FROM new_subscribe_enabled THEN 'subscribe_enabled' END, CASE WHEN old_custom_domain IS DISTINCT FROM new_custom_domain THEN 'custom_domain' END, CASE WHEN old_sections IS DISTINCT FROM new_sections THEN 'sections' END], NULL), coalesce(CASE WHEN old_name IS DISTINCT FROM new_name THEN jsonb_build_object('name', old_name) END, '{}') || coalesce(CASE WHEN old_slug IS DISTINCT FROM new_slug THEN jsonb_build_object('slug', old_slug) END, '{}') || coalesce(CASE WHEN old_is_public IS DISTINCT FROM new_is_public THEN jsonb_build_object('is_public', old_is_public) END, '{}') || coalesce(CASE WHEN old_description IS DISTINCT FROM new_description THEN jsonb_build_object('description', old_description) END, '{}') || coalesce(CASE WHEN old_accent_color IS DISTINCT FROM new_accent_color THEN jsonb_build_object('accent_color', old_accent_color) END, '{}') || coalesce(CASE WHEN old_show_powered_by IS DISTINCT FROM new_show_powered_by THEN jsonb_build_object('show_powered_by', old_show_powered_by) END, '{}') || coalesce(CASE WHEN old_show_history IS DISTINCT FROM new_show_history THEN jsonb_build_object('show_history', old_show_history) END, '{}') || coalesce(CASE WHEN old_history_days IS DISTINCT FROM new_history_days THEN jsonb_build_object('history_days', old_history_days) END, '{}') || coalesce(CASE WHEN old_rss_enabled IS DISTINCT FROM new_rss_enabled THEN jsonb_build_object('rss_enabled', old_rss_enabled) END, '{}') || coalesce(CASE WHEN old_subscribe_enabled IS DISTINCT FROM new_subscribe_enabled THEN jsonb_build_object('subscribe_enabled', old_subscribe_enabled) END, '{}') || coalesce(CASE WHEN old_custom_domain IS DISTINCT FROM new_custom_domain THEN jsonb_build_object('custom_domain', old_custom_domain) END, '{}') || coalesce(CASE WHEN old_sections IS DISTINCT FROM new_sections THEN jsonb_build_object('sections', old_sections) END, '{}')
    FROM updated WHERE revision <> old_revision
  ), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.updated', id, jsonb_build_object('revision', revision), $6::text, $7::uuid,
         $8::text, $9::text, $10::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM updated WHERE revision <> old_revision) AS page
  )
  SELECT text, version, revision <> old_revision AND revision % 100 = 0 AS has_outdated, revision
    FROM updated;

WITH old AS (
    SELECT id AS old_id, revision AS old_revision, slug AS old_slug, description AS old_description, show_powered_by AS old_show_powered_by, show_history AS old_show_history, history_days AS old_history_days, rss_enabled AS old_rss_enabled, subscribe_enabled AS old_subscribe_enabled, custom_domain AS old_custom_domain
      FROM status_pages
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  ), updated AS (
    UPDATE status_pages
       SET (slug, description, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain) = ROW ($11::text, $12::text, $13::boolean, $14::boolean, $15::integer, $16::boolean, $17::boolean, $18::text),
          updated_at = CASE
            WHEN ROW (slug, description, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain) IS DISTINCT FROM ROW ($11::text, $12::text, $13::boolean, $14::boolean, $15::integer, $16::boolean, $17::boolean, $18::text)
            THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
            ELSE updated_at
          END,
           revision = revision + CASE WHEN ROW (slug, description, show_powered_by, show_history, history_days, rss_enabled, subscribe_enabled, custom_domain) IS DISTINCT FROM ROW ($11::text, $12::text, $13::boolean, $14::boolean, $15::integer, $16::boolean, $17::boolean, $18::text) THEN 1 ELSE 0 END
      FROM old
     WHERE organization_id = $1 AND id = old_id AND revision = old_revision -- not a page restored since the lock
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id, id, revision, updated_at, old_revision,
              old_slug, slug AS new_slug, old_description, description AS new_description, old_show_powered_by, show_powered_by AS new_show_powered_by, old_show_history, show_history AS new_show_history, old_history_days, history_days AS new_history_days, old_rss_enabled, rss_enabled AS new_rss_enabled, old_subscribe_enabled, subscribe_enabled AS new_subscribe_enabled, old_custom_domain, custom_domain AS new_custom_domain
  ), revision AS (
  INSERT INTO status_page_revisions (organization_id, status_page_id, number, created_at, operation, actor_type, actor_id,
                                     actor_name, api_key_id, api_key_name, changed_fields, before)
  SELECT organization_id, id, revision, updated_at, $5, $6::text, $7::uuid, $8::text,
         CASE WHEN $6::text = 'api_key' THEN $7::uuid END, CASE WHEN $6::text = 'api_key' THEN $8::text END, array_remove(ARRAY[CASE WHEN old_slug IS DISTINCT FROM new_slug THEN 'slug' END, CASE WHEN old_description IS DISTINCT FROM new_description THEN 'description' END, CASE WHEN old_show_powered_by IS DISTINCT FROM new_show_powered_by THEN 'show_powered_by' END, CASE WHEN old_show_history IS DISTINCT FROM new_show_history THEN 'show_history' END, CASE WHEN old_history_days IS DISTINCT FROM new_history_days THEN 'history_days' END, CASE WHEN old_rss_enabled IS DISTINCT FROM new_rss_enabled THEN 'rss_enabled' END, CASE WHEN old_subscribe_enabled IS DISTINCT FROM new_subscribe_enabled THEN 'subscribe_enabled' END, CASE WHEN old_custom_domain IS DISTINCT FROM new_custom_domain THEN 'custom_domain' END], NULL), coalesce(CASE WHEN old_slug IS DISTINCT FROM new_slug THEN jsonb_build_object('slug', old_slug) END, '{}') || coalesce(CASE WHEN old_description IS DISTINCT FROM new_description THEN jsonb_build_object('description', old_description) END, '{}') || coalesce(CASE WHEN old_show_powered_by IS DISTINCT FROM new_show_powered_by THEN jsonb_build_object('show_powered_by', old_show_powered_by) END, '{}') || coalesce(CASE WHEN old_show_history IS DISTINCT FROM new_show_history THEN jsonb_build_object('show_history', old_show_history) END, '{}') || coalesce(CASE WHEN old_history_days IS DISTINCT FROM new_history_days THEN jsonb_build_object('history_days', old_history_days) END, '{}') || coalesce(CASE WHEN old_rss_enabled IS DISTINCT FROM new_rss_enabled THEN jsonb_build_object('rss_enabled', old_rss_enabled) END, '{}') || coalesce(CASE WHEN old_subscribe_enabled IS DISTINCT FROM new_subscribe_enabled THEN jsonb_build_object('subscribe_enabled', old_subscribe_enabled) END, '{}') || coalesce(CASE WHEN old_custom_domain IS DISTINCT FROM new_custom_domain THEN jsonb_build_object('custom_domain', old_custom_domain) END, '{}')
    FROM updated WHERE revision <> old_revision
  ), event AS (
  INSERT INTO events (id, organization_id, project_id, type, resource_id, data, actor_type, actor_id, actor_name, via, request_id,
                      created_at, due_at)
  SELECT
encode(set_bit(set_bit(overlay(
  uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM updated_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6
), 52, 1), 53, 1), 'hex')::uuid, organization_id, project_id, 'status_page.updated', id, jsonb_build_object('revision', revision), $6::text, $7::uuid,
         $8::text, $9::text, $10::uuid, updated_at,
         CASE WHEN EXISTS (
  SELECT FROM webhook_endpoints AS endpoint
   WHERE endpoint.organization_id = page.organization_id AND endpoint.project_id = page.project_id
     AND endpoint.status = 'enabled') THEN statement_timestamp() END
    FROM (SELECT * FROM updated WHERE revision <> old_revision) AS page
  )
  SELECT text, version, revision <> old_revision AND revision % 100 = 0 AS has_outdated, revision
    FROM updated;

WITH page AS (
  SELECT organization_id, id, revision, row_to_json((SELECT output FROM (SELECT id AS id, name AS name, slug AS slug, is_public AS is_public, description AS description, accent_color AS accent_color, show_powered_by AS show_powered_by, show_history AS show_history, history_days AS history_days, rss_enabled AS rss_enabled, subscribe_enabled AS subscribe_enabled, custom_domain AS custom_domain, sections AS sections, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS today FROM status_pages WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3
), replaced AS (
  SELECT DISTINCT ON (field) field, before
    FROM status_page_revisions, unnest(changed_fields) AS field
   WHERE organization_id = $1 AND status_page_id = $3 AND number > $4
   ORDER BY field, number
), one AS (
  SELECT number, operation, changed_fields, json_build_object(
               'type', coalesce(actor_type, CASE WHEN api_key_id IS NULL THEN 'command_line' ELSE 'api_key' END),
               'id', coalesce(actor_id, api_key_id),
               'name', coalesce(actor_name, api_key_name, 'cli')) AS actor, CASE WHEN api_key_id IS NOT NULL
               THEN json_build_object('id', api_key_id, 'name', api_key_name) END AS api_key, created_at, before
    FROM status_page_revisions
   WHERE organization_id = $1 AND status_page_id = $3 AND number = $4
     AND number > (SELECT revision FROM page) - 1000 AND created_at > now() - interval '365 days'
)
SELECT (SELECT json_build_object(
          'revision', row_to_json(one),
          'today', page.today,
          'replaced', (SELECT coalesce(jsonb_object_agg(field, before -> field), '{}') FROM replaced)
        ) FROM one) AS found
  FROM page;
