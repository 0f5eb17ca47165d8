-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

INSERT INTO check_states (organization_id, check_id, due_at)
VALUES ($1, $2, CASE WHEN $3 THEN clock_timestamp() END);

SELECT check_id, status, failed_runs, checked_at, duration_ms, error, due_at AS next_run_at
 FROM check_states
 JOIN checks ON checks.organization_id = check_states.organization_id AND checks.id = check_id
WHERE checks.organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND check_id = $3;

SELECT checks.type, checks.target, checks.interval_seconds, checks.timeout_seconds, checks.method,
checks.encrypted_headers, checks.body, checks.expected_status, checks.body_contains, checks.follow_redirects, checks.record_type,
checks.expected, checks.days_before_expiry FROM checks WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.monitor_id AS monitor_id, resource.type AS type, resource.target AS target, resource.interval_seconds AS interval_seconds, resource.timeout_seconds AS timeout_seconds, resource.failures AS failures, resource.recoveries AS recoveries, resource.degraded_above_ms AS degraded_above_ms, resource.status_on_failure AS status_on_failure, resource.enabled AS enabled, resource.method AS method, resource.header_names AS header_names, resource.body AS body, resource.expected_status AS expected_status, resource.body_contains AS body_contains, resource.follow_redirects AS follow_redirects, resource.record_type AS record_type, resource.expected AS expected, resource.days_before_expiry AS days_before_expiry, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, monitor_id, type, target, interval_seconds, timeout_seconds, failures, recoveries, degraded_above_ms, status_on_failure, enabled, method, header_names, body, expected_status, body_contains, follow_redirects, record_type, expected, days_before_expiry, project_id, created_at, updated_at
       FROM checks
      WHERE organization_id = $1 AND project_id = $2
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT coalesce(array_to_json((array_agg(json))[:$3]), '[]')::text AS text,
       CASE WHEN count(*) > $3 THEN (array_agg(created_at))[$3] END AS created_at,
       CASE WHEN count(*) > $3 THEN (array_agg(id))[$3] END AS id
  FROM (SELECT row_to_json((SELECT output FROM (SELECT resource.id AS id, resource.monitor_id AS monitor_id, resource.type AS type, resource.target AS target, resource.interval_seconds AS interval_seconds, resource.timeout_seconds AS timeout_seconds, resource.failures AS failures, resource.recoveries AS recoveries, resource.degraded_above_ms AS degraded_above_ms, resource.status_on_failure AS status_on_failure, resource.enabled AS enabled, resource.method AS method, resource.header_names AS header_names, resource.body AS body, resource.expected_status AS expected_status, resource.body_contains AS body_contains, resource.follow_redirects AS follow_redirects, resource.record_type AS record_type, resource.expected AS expected, resource.days_before_expiry AS days_before_expiry, resource.project_id AS project_id, to_char(resource.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(resource.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)) AS json, id, created_at
          FROM (
     SELECT id, monitor_id, type, target, interval_seconds, timeout_seconds, failures, recoveries, degraded_above_ms, status_on_failure, enabled, method, header_names, body, expected_status, body_contains, follow_redirects, record_type, expected, days_before_expiry, project_id, created_at, updated_at
       FROM checks
      WHERE organization_id = $1 AND project_id = $2 AND (created_at, id) < ($4::timestamptz, $5::uuid)
      ORDER BY created_at DESC, id DESC
      LIMIT $3::int + 1) AS resource
       ) AS rows;

SELECT organization_id, monitor_id, interval_seconds, timeout_seconds, enabled, updated_at FROM checks
WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
  FOR NO KEY UPDATE;

SELECT organization_id, project_id, monitor_id, type FROM checks WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

SELECT row_to_json((SELECT output FROM (SELECT id AS id, monitor_id AS monitor_id, type AS type, target AS target, interval_seconds AS interval_seconds, timeout_seconds AS timeout_seconds, failures AS failures, recoveries AS recoveries, degraded_above_ms AS degraded_above_ms, status_on_failure AS status_on_failure, enabled AS enabled, method AS method, header_names AS header_names, body AS body, expected_status AS expected_status, body_contains AS body_contains, follow_redirects AS follow_redirects, record_type AS record_type, expected AS expected, days_before_expiry AS days_before_expiry, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version FROM checks WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3;

UPDATE check_states
  SET due_at = CASE WHEN $3 THEN greatest(clock_timestamp(), started_at + interval '10 seconds') END, token = token + 1,
      failed_runs = 0, successful_runs = 0, slow_runs = 0
WHERE organization_id = $1 AND check_id = $2;

WITH former AS (
    SELECT id AS former_id, target AS former_target, interval_seconds AS former_interval_seconds, timeout_seconds AS former_timeout_seconds, failures AS former_failures, recoveries AS former_recoveries, degraded_above_ms AS former_degraded_above_ms, status_on_failure AS former_status_on_failure, enabled AS former_enabled, method AS former_method, body AS former_body, expected_status AS former_expected_status, body_contains AS former_body_contains, follow_redirects AS former_follow_redirects
      FROM checks
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
       FOR NO KEY UPDATE
  ), written AS (
    UPDATE checks
       SET (target, interval_seconds, timeout_seconds, failures, recoveries, degraded_above_ms, status_on_failure, enabled, method, body, expected_status, body_contains, follow_redirects) = ROW ($5::text, $6::integer, $7::integer, $8::integer, $9::integer, $10::integer, $11::text, $12::boolean, $13::text, $14::text, $15::text, $16::text, $17::boolean),
        updated_at = CASE
          WHEN ROW (target, interval_seconds, timeout_seconds, failures, recoveries, degraded_above_ms, status_on_failure, enabled, method, body, expected_status, body_contains, follow_redirects) IS DISTINCT FROM ROW ($5::text, $6::integer, $7::integer, $8::integer, $9::integer, $10::integer, $11::text, $12::boolean, $13::text, $14::text, $15::text, $16::text, $17::boolean)
          THEN GREATEST(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
          ELSE updated_at
        END
      FROM former
     WHERE organization_id = $1 AND id = former_id
    RETURNING row_to_json((SELECT output FROM (SELECT id AS id, monitor_id AS monitor_id, type AS type, target AS target, interval_seconds AS interval_seconds, timeout_seconds AS timeout_seconds, failures AS failures, recoveries AS recoveries, degraded_above_ms AS degraded_above_ms, status_on_failure AS status_on_failure, enabled AS enabled, method AS method, header_names AS header_names, body AS body, expected_status AS expected_status, body_contains AS body_contains, follow_redirects AS follow_redirects, record_type AS record_type, expected AS expected, days_before_expiry AS days_before_expiry, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output))::text AS text, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS version, organization_id, project_id AS own_project_id, id, former.*, target AS next_target, interval_seconds AS next_interval_seconds, timeout_seconds AS next_timeout_seconds, failures AS next_failures, recoveries AS next_recoveries, degraded_above_ms AS next_degraded_above_ms, status_on_failure AS next_status_on_failure, enabled AS next_enabled, method AS next_method, body AS next_body, expected_status AS next_expected_status, body_contains AS next_body_contains, follow_redirects AS next_follow_redirects
  ), changed AS (
    SELECT organization_id, own_project_id AS project_id, id, (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('target', 'body') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (VALUES ('target', to_jsonb(former_target), to_jsonb(next_target)), ('interval_seconds', to_jsonb(former_interval_seconds), to_jsonb(next_interval_seconds)), ('timeout_seconds', to_jsonb(former_timeout_seconds), to_jsonb(next_timeout_seconds)), ('failures', to_jsonb(former_failures), to_jsonb(next_failures)), ('recoveries', to_jsonb(former_recoveries), to_jsonb(next_recoveries)), ('degraded_above_ms', to_jsonb(former_degraded_above_ms), to_jsonb(next_degraded_above_ms)), ('status_on_failure', to_jsonb(former_status_on_failure), to_jsonb(next_status_on_failure)), ('enabled', to_jsonb(former_enabled), to_jsonb(next_enabled)), ('method', to_jsonb(former_method), to_jsonb(next_method)), ('body', to_jsonb(former_body), to_jsonb(next_body)), ('expected_status', to_jsonb(former_expected_status), to_jsonb(next_expected_status)), ('body_contains', to_jsonb(former_body_contains), to_jsonb(next_body_contains)), ('follow_redirects', to_jsonb(former_follow_redirects), to_jsonb(next_follow_redirects))) AS field (name, former, next)
 WHERE former IS DISTINCT FROM next) AS changes
      FROM written
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $18::uuid, $19::text, $20::text, $21::uuid, $22::text, $23::text, $24::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM changed WHERE changes IS NOT NULL
  )
  SELECT text, version FROM written;

WITH written AS (
    DELETE FROM checks
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR project_id = ANY($2::uuid[])) AND id = $3 AND ($4::timestamptz[] IS NULL OR updated_at = ANY($4::timestamptz[]))
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $5::uuid, $6::text, $7::text, $8::uuid, $9::text, $10::text, $11::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('target', 'body') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, value AS former, NULL::jsonb AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, monitor_id AS monitor_id, type AS type, target AS target, interval_seconds AS interval_seconds, timeout_seconds AS timeout_seconds, failures AS failures, recoveries AS recoveries, degraded_above_ms AS degraded_above_ms, status_on_failure AS status_on_failure, enabled AS enabled, method AS method, header_names AS header_names, body AS body, expected_status AS expected_status, body_contains AS body_contains, follow_redirects AS follow_redirects, record_type AS record_type, expected AS expected, days_before_expiry AS days_before_expiry, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS checks) AS changed
  )
  SELECT id FROM written;

WITH written AS (
    INSERT INTO checks (id, organization_id, project_id, created_at, updated_at, monitor_id, type, target)
    VALUES ($1, $2, $3, $4, $5, $6::uuid, $7::text, $8::text)
    RETURNING *
  ), event AS (
INSERT INTO events (id, type, actor_type, actor_id, actor_name, via, request_id, organization_id, project_id, resource_id,
                    changes, created_at, is_notified)
SELECT $9::uuid, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::uuid, organization_id, project_id, id, changes, statement_timestamp(), false
  FROM (SELECT organization_id, project_id AS project_id, id,
                (
SELECT jsonb_object_agg(name, CASE WHEN name IN ('target', 'body') OR coalesce(octet_length(former::text), 0) + coalesce(octet_length(next::text), 0) > 4000
       THEN '{"from": null, "to": null, "is_omitted": true}'
       ELSE jsonb_build_object('from', former, 'to', next) END)
  FROM (SELECT key AS name, NULL::jsonb AS former, value AS next
          FROM jsonb_each((row_to_json((SELECT output FROM (SELECT id AS id, monitor_id AS monitor_id, type AS type, target AS target, interval_seconds AS interval_seconds, timeout_seconds AS timeout_seconds, failures AS failures, recoveries AS recoveries, degraded_above_ms AS degraded_above_ms, status_on_failure AS status_on_failure, enabled AS enabled, method AS method, header_names AS header_names, body AS body, expected_status AS expected_status, body_contains AS body_contains, follow_redirects AS follow_redirects, record_type AS record_type, expected AS expected, days_before_expiry AS days_before_expiry, project_id AS project_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS updated_at) AS output)))::jsonb)
         WHERE value <> 'null' AND key NOT IN ('id', 'project_id', 'status_page_id', 'incident_id', 'maintenance_id', 'created_at', 'updated_at')) AS field) AS changes
           FROM written AS checks) AS changed
  )
  SELECT id, monitor_id, type, target, interval_seconds, timeout_seconds, failures, recoveries, degraded_above_ms, status_on_failure, enabled, method, header_names, body, expected_status, body_contains, follow_redirects, record_type, expected, days_before_expiry, project_id, created_at, updated_at FROM written AS checks;
