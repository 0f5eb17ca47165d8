-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

DELETE FROM monitor_days AS one
USING monitor_states AS state
WHERE one.organization_id = $1 AND one.monitor_id = ANY($2::uuid[])
  AND state.organization_id = $1 AND state.monitor_id = one.monitor_id
  AND (state.closed_before IS NULL OR (one.day::timestamp AT TIME ZONE 'UTC') >= state.closed_before OR
       rules_version < CASE WHEN is_operational_until_reported THEN 3 ELSE 1 END);

INSERT INTO monitor_days (organization_id, monitor_id, day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown, rules_version)
SELECT $1, one.monitor_id, one.day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown, 3
  FROM json_populate_recordset(NULL::monitor_days, $2) AS one
  JOIN monitor_states AS state ON state.organization_id = $1 AND state.monitor_id = one.monitor_id
    ON CONFLICT DO NOTHING;

SELECT monitor_id, "from"::text, "to"::text
 FROM unnest($2::uuid[]) AS monitor (monitor_id)
CROSS JOIN LATERAL (
        SELECT min(day) AS "from", max(day) AS "to"
          FROM (
                 SELECT day::date FROM generate_series($3::timestamp, $4::timestamp, interval '1 day') AS day
                 EXCEPT
                 SELECT day
                   FROM monitor_states AS state
                   JOIN monitor_days AS one
                     ON one.organization_id = $1 AND one.monitor_id = monitor.monitor_id
                    AND day BETWEEN $3::date AND $4::date
                    AND day < (closed_before AT TIME ZONE 'UTC')::date AND rules_version >= CASE WHEN is_operational_until_reported THEN 3 ELSE 1 END
                  WHERE state.organization_id = $1 AND state.monitor_id = monitor.monitor_id
               ) AS missing
      ) AS missing
WHERE "from" IS NOT NULL;

SELECT monitor_id, day_count, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown, days
 FROM unnest($2::uuid[]) AS monitor (monitor_id)
 JOIN LATERAL (
        SELECT closed_before, CASE WHEN is_operational_until_reported THEN 3 ELSE 1 END AS rules_version FROM monitor_states
         WHERE organization_id = $1 AND monitor_id = monitor.monitor_id LIMIT 1
      ) AS state ON true
CROSS JOIN LATERAL (
        SELECT count(*)::int AS day_count, sum(operational)::int AS operational, sum(degraded_performance)::int AS degraded_performance, sum(partial_outage)::int AS partial_outage, sum(major_outage)::int AS major_outage, sum(under_maintenance)::int AS under_maintenance, sum(unknown)::int AS unknown,
               coalesce(string_agg(concat_ws(',', day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown) || ';', '' ORDER BY day) FILTER (WHERE false), '') AS days
         FROM monitor_days AS one
        WHERE organization_id = $1 AND monitor_id = monitor.monitor_id AND day BETWEEN $3::date AND $4::date
          AND one.rules_version >= state.rules_version
      ) AS kept
  WHERE state.closed_before > $4::date::timestamp AT TIME ZONE 'UTC' AND day_count > 0;

SELECT monitor_id, day_count, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown, days
 FROM unnest($2::uuid[]) AS monitor (monitor_id)
 JOIN LATERAL (
        SELECT closed_before, CASE WHEN is_operational_until_reported THEN 3 ELSE 1 END AS rules_version FROM monitor_states
         WHERE organization_id = $1 AND monitor_id = monitor.monitor_id LIMIT 1
      ) AS state ON true
CROSS JOIN LATERAL (
        SELECT count(*)::int AS day_count, sum(operational)::int AS operational, sum(degraded_performance)::int AS degraded_performance, sum(partial_outage)::int AS partial_outage, sum(major_outage)::int AS major_outage, sum(under_maintenance)::int AS under_maintenance, sum(unknown)::int AS unknown,
               coalesce(string_agg(concat_ws(',', day, operational, degraded_performance, partial_outage, major_outage, under_maintenance, unknown) || ';', '' ORDER BY day) FILTER (WHERE true), '') AS days
         FROM monitor_days AS one
        WHERE organization_id = $1 AND monitor_id = monitor.monitor_id AND day BETWEEN $3::date AND $4::date
          AND one.rules_version >= state.rules_version
      ) AS kept
  WHERE state.closed_before > $4::date::timestamp AT TIME ZONE 'UTC' AND day_count > 0;
