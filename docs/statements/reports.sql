-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM monitor_days AS one
USING json_to_recordset($2) AS range (monitor_id uuid, "from" timestamptz, "to" timestamptz)
WHERE organization_id = $1 AND one.monitor_id = range.monitor_id
  AND day BETWEEN ("from" AT TIME ZONE 'UTC')::date AND ("to" AT TIME ZONE 'UTC')::date;

DELETE FROM monitor_runs
USING json_to_recordset($2) AS run (monitor_id uuid, started_at timestamptz)
WHERE organization_id = $1 AND monitor_runs.monitor_id = run.monitor_id
  AND monitor_runs.started_at = run.started_at;

INSERT INTO monitor_runs (organization_id, monitor_id, status, started_at, last_observed_at)
SELECT $1, * FROM json_to_recordset($2) AS run
       (monitor_id uuid, status monitor_status, started_at timestamptz, last_observed_at timestamptz)
    ON CONFLICT (monitor_id, started_at) DO UPDATE
   SET status = excluded.status, last_observed_at = excluded.last_observed_at;

INSERT INTO monitor_states AS state (organization_id, monitor_id, closed_before)
SELECT organization_id, id, CASE WHEN stale_after_seconds IS NULL AND created_at > $4 THEN $5 ELSE $3::timestamptz END
  FROM monitors
 WHERE organization_id = $1 AND id = ANY($2::uuid[])
 ORDER BY id
    ON CONFLICT (organization_id, monitor_id) DO UPDATE
   SET closed_before = excluded.closed_before
 WHERE state.closed_before > excluded.closed_before;

SELECT id AS monitor_id, run.status, run.started_at,
      least(
        lead(run.started_at) OVER (PARTITION BY id ORDER BY run.started_at),
        run.last_observed_at + make_interval(secs => stale_after_seconds)
      ) AS ended_at
 FROM monitors AS monitor
CROSS JOIN LATERAL (
        SELECT CASE WHEN min(started_at) < created_at THEN date_trunc('day', min(started_at), 'UTC') ELSE created_at END AS since
          FROM incident_impacts WHERE organization_id = $1 AND monitor_id = monitor.id
      ) AS start
CROSS JOIN LATERAL (
  (SELECT status, started_at, last_observed_at
     FROM monitor_runs WHERE organization_id = $1 AND monitor_id = monitor.id AND started_at <= $3 ORDER BY started_at DESC LIMIT 1)
   UNION ALL
  SELECT status, started_at, last_observed_at FROM monitor_runs WHERE organization_id = $1 AND monitor_id = monitor.id AND started_at > $3 AND started_at < $4
   UNION ALL
  SELECT status, started_at, last_observed_at FROM monitor_states WHERE organization_id = $1 AND monitor_id = monitor.id AND started_at < $4
   UNION ALL
  SELECT 'operational', since, since
   WHERE stale_after_seconds IS NULL AND since < $4
     AND NOT EXISTS (SELECT FROM monitor_runs WHERE organization_id = $1 AND monitor_id = monitor.id AND started_at <= since)
     AND NOT EXISTS (
           SELECT FROM monitor_states
            WHERE organization_id = $1 AND monitor_id = monitor.id AND (started_at <= since OR NOT is_operational_until_reported)
         )
) AS run
WHERE organization_id = $1 AND id = ANY($2::uuid[])
ORDER BY id, run.started_at;

SELECT json_agg(json_build_object(
       'monitor_id', monitor_id,
       'status', status,
       'started_at', (extract(epoch FROM started_at) * 1000)::bigint,
       'last_observed_at', (extract(epoch FROM last_observed_at) * 1000)::bigint
     ) ORDER BY started_at) AS runs
FROM (
       SELECT DISTINCT run.monitor_id, run.status, run.started_at, run.last_observed_at
         FROM unnest($2::uuid[], $3::timestamptz[]) AS report (monitor_id, time)
        CROSS JOIN LATERAL (
          (SELECT * FROM monitor_runs WHERE organization_id = $1 AND monitor_id = report.monitor_id AND started_at < time ORDER BY started_at DESC LIMIT 1)
           UNION ALL
          (SELECT * FROM monitor_runs WHERE organization_id = $1 AND monitor_id = report.monitor_id AND started_at >= time ORDER BY started_at LIMIT 2)
        ) AS run
     ) AS neighbor;

SELECT min(state.last_observed_at + make_interval(secs => monitor.stale_after_seconds)) AS next
 FROM monitor_states AS state
 JOIN monitors AS monitor ON monitor.organization_id = state.organization_id AND monitor.id = state.monitor_id
WHERE state.organization_id = $1 AND state.monitor_id = ANY($2::uuid[])
  AND state.last_observed_at + make_interval(secs => monitor.stale_after_seconds) > $3;

SELECT monitor.id AS monitor_id, state.last_observed_at,
      CASE
        WHEN monitor.stale_after_seconds IS NULL THEN coalesce(state.status::text, 'operational')
        WHEN state.last_observed_at + make_interval(secs => monitor.stale_after_seconds) > $3 THEN state.status::text
        ELSE 'unknown'
      END AS status
 FROM monitors AS monitor
 LEFT JOIN monitor_states AS state ON state.organization_id = $1 AND state.monitor_id = monitor.id
WHERE monitor.organization_id = $1 AND monitor.id = ANY($2::uuid[]);

SELECT monitor_id
  FROM monitor_runs
 WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]) AND started_at >= $3 AND started_at < $4
OFFSET $5 LIMIT 1;

SELECT monitor_id, state.status, state.started_at, state.last_observed_at, state.observations,
      monitor.stale_after_seconds
 FROM monitor_states AS state
 JOIN monitors AS monitor ON monitor.organization_id = state.organization_id AND monitor.id = state.monitor_id
WHERE state.organization_id = $1 AND monitor.project_id = $2
  AND state.monitor_id = ANY($3::uuid[]) AND monitor.id = ANY($3::uuid[]);

SELECT started_at, counts
 FROM response_times
WHERE organization_id = $1 AND monitor_id = $2 AND resolution = $3 AND started_at >= $4 AND started_at < $5
ORDER BY started_at;

SET LOCAL enable_bitmapscan = off;

SET LOCAL enable_bitmapscan = on;

UPDATE monitor_states
  SET closed_before = greatest(closed_before, $3)
WHERE organization_id = $1 AND monitor_id = ANY($2::uuid[]);

UPDATE monitor_states AS state
  SET status = run.status, started_at = run.started_at, last_observed_at = run.last_observed_at,
      observations = run.observations,
      revision = state.revision + (CASE
        WHEN run.is_changed OR
             clock_timestamp() - make_interval(secs => state.stale_after_seconds)
             BETWEEN state.last_observed_at AND run.last_observed_at THEN 1
        ELSE 0
      END),
      closed_before = CASE -- null stays null: no row is valid
        WHEN state.closed_before > run.closed_before THEN run.closed_before
        ELSE state.closed_before
      END
 FROM json_to_recordset($2) AS run
      (monitor_id uuid, status monitor_status, started_at timestamptz, last_observed_at timestamptz,
       observations timestamptz[], is_changed boolean, closed_before timestamptz)
WHERE organization_id = $1 AND state.monitor_id = run.monitor_id;

WITH recorded AS (
   INSERT INTO monitor_states AS state
          (organization_id, monitor_id, status, started_at, last_observed_at, observations, stale_after_seconds)
   SELECT organization_id, id, status, observed_at, observed_at, array_remove(ARRAY[observed_at], NULL), stale_after_seconds
     FROM unnest($3::uuid[], $4::monitor_status[], $5::timestamptz[]) AS report (monitor_id, status, observed_at)
     JOIN monitors ON organization_id = $1 AND project_id = $2 AND id = report.monitor_id
    ORDER BY id
       ON CONFLICT (organization_id, monitor_id) DO UPDATE
      SET last_observed_at = greatest(state.last_observed_at, excluded.last_observed_at),
          observations = (CASE
            WHEN state.last_observed_at < excluded.last_observed_at
            THEN excluded.observations || state.observations
            ELSE ARRAY(SELECT unnest(state.observations || excluded.observations) AS time GROUP BY time ORDER BY time DESC)
          END)[:32],
          stale_after_seconds = excluded.stale_after_seconds,
          revision = state.revision + (CASE -- it was unknown until now
            WHEN clock_timestamp() - make_interval(secs => excluded.stale_after_seconds)
                 BETWEEN state.last_observed_at AND excluded.last_observed_at THEN 1
            ELSE 0
          END)
    WHERE state.status = excluded.status
      AND (excluded.last_observed_at BETWEEN state.started_at AND state.last_observed_at OR
           state.last_observed_at < excluded.last_observed_at
           AND coalesce(state.closed_before <= excluded.last_observed_at, true)
           AND (excluded.stale_after_seconds IS NULL OR
                excluded.last_observed_at <= state.last_observed_at + make_interval(secs => excluded.stale_after_seconds)))
RETURNING monitor_id, status, stale_after_seconds, last_observed_at, xmax = 0 AS is_new
   )
   SELECT (SELECT count(*)::int FROM recorded WHERE is_new AND status IS NOT NULL) AS started,
          (
            SELECT json_agg(json_build_object(
                     'monitor_id', monitor_id,
                     'from', CASE WHEN stale_after_seconds IS NULL THEN 'operational' END,
                     'to', status
                   ))
              FROM recorded
             WHERE is_new AND status IS NOT NULL
               AND (stale_after_seconds IS NULL OR
                    clock_timestamp() <= last_observed_at + make_interval(secs => stale_after_seconds))
          ) AS first,
          CASE
            WHEN (SELECT count(*) FROM recorded WHERE status IS NOT NULL) = cardinality($3::uuid[]) THEN '{}'
            ELSE ARRAY(SELECT unnest($3::uuid[]) EXCEPT SELECT monitor_id FROM recorded WHERE status IS NOT NULL)
          END AS others;
